#include "poses.h"

int poses_live;

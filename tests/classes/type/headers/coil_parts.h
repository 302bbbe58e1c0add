#include "coils.h" /* headers may include each other */

typedef enum { WINDING_LEFT, WINDING_RIGHT } winding_mode_t;
enum material { MATERIAL_COPPER, MATERIAL_IRON };

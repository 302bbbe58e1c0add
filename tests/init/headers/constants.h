/* Constants alone. */
#define CON_LIMIT 4
#define CON_NAME "constants"
enum con_flags { CON_FLAG_A = 1, CON_FLAG_B = 2, CON_FLAG_C = 4 };

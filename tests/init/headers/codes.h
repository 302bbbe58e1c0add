/* Untyped memory with a count, and a code for the type of its elements. */
#include <stddef.h>
#include <stdint.h>

/* The comments name the members, and list the codes without their types. */
typedef struct cod_record {
    char *raw;
    int32_t raw_length;
    void *datasamples;  /* data samples, 'numsamples' of type 'sampletype' */
    int64_t numsamples; /* number of samples */
    char sampletype;    /* sample type code: a, i, f, d */
    void *user_data;
} cod_record;
void cod_record_free(cod_record *record);

/* A comment lists the codes with their types. `long` and `integer` leave the size open. */
typedef struct cod_trace {
    double rate;
    void *values;
    size_t n_values;
    char value_type; /* 'b': 8-bit integer, 'f' = float, 'd': double, 'l': long, 'i': integer, 'a' is text */
} cod_trace;
void cod_trace_free(cod_trace *trace);

/* The names of an enum decide the types. */
typedef enum { COD_INT16, COD_FLOAT32, COD_TEXT } cod_type;
typedef struct cod_column {
    const char *name;
    void *cells;
    int ncells;
    cod_type celltype;
} cod_column;
int cod_column_check(const cod_column *column);

/* The types of TIFF files, and a number of bytes. */
enum cod_format {
    COD_FORMAT_BYTE = 1, COD_FORMAT_ASCII, COD_FORMAT_SHORT, COD_FORMAT_LONG, COD_FORMAT_RATIONAL,
    COD_FORMAT_SSHORT = 8, COD_FORMAT_SLONG, COD_FORMAT_FLOAT = 11
};
typedef struct {
    enum cod_format format;
    unsigned long components;
    unsigned char *data;
    unsigned int size; /* number of bytes in `data` */
} cod_entry;
int cod_entry_check(const cod_entry *entry);

/* Names of an enum that decide nothing, and numbers without names. */
typedef enum { COD_MODE_FAST, COD_MODE_EXACT } cod_mode;
typedef struct {
    void *data;
    int n;
    cod_mode format;
} cod_series;
int cod_series_check(const cod_series *series);
typedef struct {
    void *data;
    int n;
    int kind;
} cod_table;
int cod_table_check(const cod_table *table);

/* A number of bytes is not a number of elements, and `next` does not count. */
typedef struct {
    int next_link;
    void *linkdata;
    int linkdatalen; /* length of the data in bytes */
    int link_type;
} cod_link;
int cod_link_check(const cod_link *link);

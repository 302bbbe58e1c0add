#ifndef PAGE_H
#define PAGE_H

typedef struct page_context page_context;
typedef struct page_book page_book;
typedef struct page_pixmap {
    int width, height, channels, stride;
    unsigned char *samples;
} page_pixmap;

page_context *page_context_new(void);
void page_context_drop(page_context *ctx);

page_book *page_open(page_context *ctx, const char *path);
void page_book_drop(page_context *ctx, page_book *book);
int page_count(page_context *ctx, page_book *book);

page_pixmap *page_pixmap_new(page_context *ctx, int height, int width, int channels);
page_pixmap *page_render(page_context *ctx, page_book *book, int number);
void page_pixmap_drop(page_context *ctx, page_pixmap *pixmap);
void page_invert(page_context *ctx, page_pixmap *pixmap);
int page_blend(page_context *ctx, const page_pixmap *pixmap, page_pixmap *into);

#endif

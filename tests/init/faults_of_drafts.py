"""Faults of the generator: each test fails today. Run: cd /tmp/w/d; pytest -q /tmp/dd/test_faults.py -p no:cacheprovider"""
from pathlib import Path
import pytest
from init.proposals import proposed

B = "#include <stddef.h>\ntypedef struct lib_img lib_img;\n"
Q = B + "lib_img *lib_img_new(int w);\nvoid lib_img_free(lib_img *i);\n"
FREE = "void lib_img_free(lib_img *i);\n"

@pytest.mark.parametrize("maker", ["lib_img *lib_img_current(void)", "lib_img *lib_img_get_default(void)", "/** Owned by the library; do not free it. The result is borrowed. */\nlib_img *lib_img_make(void)"])
def test_borrowed_maker(tmp_path, maker):
    assert "Img.new" not in proposed(tmp_path, f"{B}{FREE}{maker};\n").entries

@pytest.mark.parametrize("end", ["void lib_free_list(lib_img **all)", "int lib_img_close(lib_img *i);\nvoid lib_img_free_cache(lib_img *i)"])
def test_partial_or_list_end(tmp_path, end):
    assert "  release:" not in proposed(tmp_path, f"{B}lib_img *lib_img_new(int w);\n{end};\n").entries["Img"]

def test_keeps_alone_is_no_length(tmp_path):
    d = proposed(tmp_path, Q + "int lib_img_feed(lib_img *i, const double *x, int n);\n", {"input const double *x": {"lib_img_feed": "keeps"}, "objects": {"lib_img_feed": "plain"}})
    assert "Img.feed" not in d.entries

@pytest.mark.parametrize(("f", "q"), [("int lib_img_use(lib_img *i, const struct lib_pt *p, int n)", "structs const struct lib_pt *p"), ("int lib_img_use(lib_img *i, const char *p, size_t n)", "bytes const char *p")])
def test_keeps_is_written(tmp_path, f, q):
    d = proposed(tmp_path, f"{Q}struct lib_pt {{ int x; }};\n{f};\n", {q: {"lib_img_use": "count: n + keeps"}, "second object": {"lib_img_use": "reads"}, "text": {"lib_img_use": "reads"}})
    assert "keeps" in d.text or "lib_img_use" not in d.text

def test_effects_on_a_list_of_objects_are_asked(tmp_path):
    d = proposed(tmp_path, Q + "int lib_img_group(lib_img *i, lib_img **all, int n);\n", {"structs lib_img **all": {"lib_img_group": "count: n"}})
    assert "Img.group" not in d.entries

@pytest.mark.parametrize("m", ["int (*f[3])(int)", "struct lib_table *table"])
def test_functions_behind_members(tmp_path, m):
    d = proposed(tmp_path, f"struct lib_table {{ int (*f)(int); }};\ntypedef struct lib_ops {{ {m}; }} lib_ops;\nint lib_check(const lib_ops *o);\nint lib_a(void);\n")
    assert "Ops.check" not in d.entries

def test_unknown_format_is_no_tensor_in_a_handle_either(tmp_path):
    d = proposed(tmp_path, "enum lib_k { LIB_A, LIB_B };\ntypedef struct lib_vec { double *data; int n; enum lib_k format; } lib_vec;\nlib_vec *lib_vec_new(int n);\nvoid lib_vec_free(lib_vec *v);\n")
    assert "VecData" not in d.entries
    assert "Vec.require" in d.asked

def test_end_by_address_is_an_end(tmp_path):
    d = proposed(tmp_path, B + "lib_img *lib_img_new(int w);\nint lib_img_close(lib_img **i);\n")
    assert "lib_img_close" in d.asked.get("ends", {})

def test_direction_in_prototype(tmp_path):
    assert "input double *x" in proposed(tmp_path, "int lib_get(/* in */ double *x, int n);\n").asked

def test_comment_about_a_text(tmp_path):
    d = proposed(tmp_path, Q + "/** @param text must outlive the image. */\nint lib_img_label(lib_img *i, const char *text);\n")
    assert d.asked["text"]["lib_img_label"] == "keeps"

def test_depth_of_bytes_is_asked(tmp_path):
    d = proposed(tmp_path, "typedef struct lib_pic { unsigned char *data; int width, height, depth; } lib_pic;\nlib_pic *lib_pic_new(int n);\nvoid lib_pic_free(lib_pic *v);\n")
    assert "shape: [self->depth" not in d.text

def test_next_is_a_part(tmp_path):
    assert proposed(tmp_path, Q + "lib_img *lib_img_next(lib_img *i);\n").asked["results"]["lib_img_next"] == "part"

def test_many_proposals_in_one_process(tmp_path):
    for _ in range(120):
        proposed(tmp_path, "int lib_a(int x);\n")

def test_words_of_the_library_are_not_doubtful(tmp_path):
    d = proposed(tmp_path, "typedef struct FIBMP FIBMP;\nFIBMP *FreeImage_Make(int w);\nint FreeImage_Width(const FIBMP *b);\n")
    assert "FreeImage_Width" in d.text

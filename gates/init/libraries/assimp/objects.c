/* SPDX-License-Identifier: MIT */
#include <assimp/scene.h>
#include <stddef.h>

struct aiMesh *new_mesh(void)
{
    static struct aiVector3D vertices[] = {{0.5f, 1.5f, 2.5f}, {10.5f, 11.5f, 12.5f}};
    static struct aiVector3D normals[] = {{0, 0, 1}, {0, 1, 0}};
    static struct aiMesh m;
    m.mPrimitiveTypes = aiPrimitiveType_POINT;
    m.mNumVertices = 2;
    m.mVertices = vertices;
    m.mNormals = normals;
    return &m;
}

struct aiTexture *new_texture(void)
{
    static struct aiTexel texels[6];
    static struct aiTexture t;
    t.mWidth = 2;
    t.mHeight = 3;
    t.pcData = texels;
    for (int i = 0; i < 6; i++) {
        int value = 100 * (i / 2) + 10 * (i % 2);
        texels[i].b = (unsigned char)value;
        texels[i].g = (unsigned char)(value + 1);
        texels[i].r = (unsigned char)(value + 2);
        texels[i].a = (unsigned char)(value + 3);
    }
    return &t;
}

static double coordinate(const struct aiVector3D *v, size_t axis) { return axis == 0 ? v->x : axis == 1 ? v->y : v->z; }

const void *first_vertices(struct aiMesh *m) { return m->mVertices; }
double at_vertices(struct aiMesh *m, const size_t *at) { return coordinate(&m->mVertices[at[0]], at[1]); }
const void *first_normals(struct aiMesh *m) { return m->mNormals; }
double at_normals(struct aiMesh *m, const size_t *at) { return coordinate(&m->mNormals[at[0]], at[1]); }
const void *first_texture(struct aiTexture *t) { return t->pcData; }
double at_texture(struct aiTexture *t, const size_t *at)
{
    const struct aiTexel *texel = &t->pcData[at[0] * t->mWidth + at[1]];
    const unsigned char channels[] = {texel->b, texel->g, texel->r, texel->a};
    return channels[at[2]];
}

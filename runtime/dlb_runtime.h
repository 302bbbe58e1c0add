/* SPDX-License-Identifier: MIT-0 */
/* Files that were generated before output format 28 include this header. They do not fit this runtime. */
#error "older than the runtime: run `dlpack-bindgen generate` again"

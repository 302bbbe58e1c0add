#[pyclass(frozen)]
struct Picture${N}(Shared);

#[pymethods]
impl Picture${N} {
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__(
        &self,
        py: Python<'_>,
        stream: Option<&Bound<'_, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        let _ = (stream, max_version, dl_device, copy);
        self.0.clone().into_dlpack(py)
    }

    fn __dlpack_device__(&self) -> (i32, i32) {
        (1, 0)
    }

    #[staticmethod]
    fn from_dlpack(py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Picture${N}(import(py, x)?))
    }
}

use pyo3::prelude::*;
use pyo3_dlpack::{IntoDLPack, PyTensor, TensorInfo, cpu_device, dtype_u8};
use std::sync::Arc;

struct Pixels {
    data: *mut u8,
    shape: [i64; 3],
    pitch: i64,
    _tensor: PyTensor,
}

// SAFETY: as a C library's struct: whoever writes keeps others away.
unsafe impl Send for Pixels {}
unsafe impl Sync for Pixels {}

#[derive(Clone)]
struct Shared(Arc<Pixels>);

impl IntoDLPack for Shared {
    fn tensor_info(&self) -> TensorInfo {
        let strides = vec![self.0.pitch, self.0.shape[2], 1];
        TensorInfo::strided(self.0.data.cast(), cpu_device(), dtype_u8(), self.0.shape.to_vec(), strides)
    }
}

fn import(py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<Shared> {
    let tensor = PyTensor::from_pyany(py, x)?;
    let shape: [i64; 3] = tensor.shape().try_into()?;
    let pitch = tensor.strides().map_or(shape[1] * shape[2], |strides| strides[0]);
    Ok(Shared(Arc::new(Pixels { data: tensor.data_ptr().cast(), shape, pitch, _tensor: tensor })))
}

${classes}
#[pymodule]
fn classes(m: &Bound<'_, PyModule>) -> PyResult<()> {
${calls}
    Ok(())
}

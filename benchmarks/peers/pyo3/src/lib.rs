//! The subject, by hand, with pyo3-dlpack as its README uses it.
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;
use pyo3_dlpack::{IntoDLPack, PyTensor, TensorInfo, cpu_device, dtype_u8};
use std::sync::Arc;

/// Whose memory it is; only dropped.
#[allow(dead_code)]
enum Storage {
    Own(Vec<u8>),
    Foreign(PyTensor),
}

struct Pixels {
    data: *mut u8,
    height: i32,
    width: i32,
    channels: i32,
    pitch: isize,
    _storage: Storage,
}

// SAFETY: as a C library's struct: whoever writes keeps others away.
unsafe impl Send for Pixels {}
unsafe impl Sync for Pixels {}

#[derive(Clone)]
struct Shared(Arc<Pixels>);

impl IntoDLPack for Shared {
    fn tensor_info(&self) -> TensorInfo {
        let (height, width, channels) = (self.0.height as i64, self.0.width as i64, self.0.channels as i64);
        let shape = vec![height, width, channels];
        if self.0.pitch as i64 == width * channels {
            return TensorInfo::contiguous(self.0.data.cast(), cpu_device(), dtype_u8(), shape);
        }
        let strides = vec![self.0.pitch as i64, channels, 1];
        TensorInfo::strided(self.0.data.cast(), cpu_device(), dtype_u8(), shape, strides)
    }
}

#[pyclass(frozen)]
struct Picture(Shared);

fn import(py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<Pixels> {
    let tensor = PyTensor::from_pyany(py, x)?;
    let dtype = tensor.dtype();
    if tensor.ndim() != 3 || dtype != dtype_u8() || !tensor.device().is_cpu() || tensor.is_read_only() {
        return Err(PyBufferError::new_err("writable uint8 of three axes on the CPU is needed"));
    }
    let shape = tensor.shape();
    let (height, width, channels) = (shape[0], shape[1], shape[2]);
    let pitch = match tensor.strides() {
        None => width * channels,
        Some(strides) if strides[2] == 1 && strides[1] == channels && strides[0] >= width * channels => strides[0],
        Some(_) => return Err(PyBufferError::new_err("rows must be compact")),
    };
    Ok(Pixels {
        data: tensor.data_ptr().cast(),
        height: i32::try_from(height)?,
        width: i32::try_from(width)?,
        channels: i32::try_from(channels)?,
        pitch: pitch as isize,
        _storage: Storage::Foreign(tensor),
    })
}

#[pymethods]
impl Picture {
    #[new]
    fn new(height: i32, width: i32, channels: i32) -> Self {
        let mut pixels = vec![0u8; height as usize * width as usize * channels as usize];
        let data = pixels.as_mut_ptr();
        let pitch = width as isize * channels as isize;
        let storage = Storage::Own(pixels);
        Picture(Shared(Arc::new(Pixels { data, height, width, channels, pitch, _storage: storage })))
    }

    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__(
        &self,
        py: Python<'_>,
        stream: Option<&Bound<'_, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        let _ = (stream, max_version, dl_device, copy); // the crate writes legacy capsules only
        self.0.clone().into_dlpack(py)
    }

    fn __dlpack_device__(&self) -> (i32, i32) {
        (1, 0)
    }

    #[staticmethod]
    fn from_dlpack(py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Picture(Shared(Arc::new(import(py, x)?))))
    }
}

#[pyfunction]
fn f(py: Python<'_>, picture: &Bound<'_, PyAny>) -> PyResult<i32> {
    Ok(import(py, picture)?.channels)
}

#[pyfunction]
fn f3(py: Python<'_>, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>, c: &Bound<'_, PyAny>) -> PyResult<i32> {
    let (a, b, c) = (import(py, a)?, import(py, b)?, import(py, c)?);
    Ok(a.channels + b.channels + c.channels)
}

#[pymodule]
fn peer_pyo3(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Picture>()?;
    m.add_function(wrap_pyfunction!(f, m)?)?;
    m.add_function(wrap_pyfunction!(f3, m)?)
}

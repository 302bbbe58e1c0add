//! The subject, by hand, with dlpark as its guide for Python uses it: exporter, table with a borrowed view, import.
use dlpark::ffi::{DLDataType, DLDevice, DLManagedTensor, DLManagedTensorVersioned, DLTensor};
use dlpark::metadata::Fixed;
use dlpark::python::{
    DlpackExchangeProducer, DlpackExporter, ExportRequest, ImportedDlpack, export_dlpack, from_dlpack,
    install_exchange_api,
};
use dlpark::{DlpackFlags, Managed, ManagedTensorBase};
use pyo3::exceptions::{PyBufferError, PyRuntimeError};
use pyo3::prelude::*;
use std::ffi::{c_int, c_void};
use std::sync::Arc;

/// Whose memory it is; only dropped.
#[allow(dead_code)]
enum Storage {
    Own(Vec<u8>),
    Foreign(ImportedDlpack),
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

impl Pixels {
    fn axes(&self) -> ([i64; 3], [i64; 3]) {
        let shape = [self.height as i64, self.width as i64, self.channels as i64];
        (shape, [self.pitch as i64, shape[2], 1])
    }
}

fn export<M: ManagedTensorBase>(pixels: &Arc<Pixels>) -> PyResult<Managed<M>> {
    let (shape, strides) = pixels.axes();
    let mut initialized = Fixed::new(shape, strides)
        .initialize_as::<M>(Arc::clone(pixels))
        .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    initialized.set_data(pixels.data.cast()).set_dtype(DLDataType::U8).set_device(DLDevice::CPU);
    // SAFETY: the context keeps the pixels; shape and strides are those of the allocation.
    Ok(unsafe { initialized.finish() })
}

#[pyclass(frozen)]
struct Picture {
    pixels: Arc<Pixels>,
    shape: [i64; 3],
    strides: [i64; 3],
}

impl Picture {
    fn of(pixels: Pixels) -> Self {
        let (shape, strides) = pixels.axes();
        Picture { pixels: Arc::new(pixels), shape, strides }
    }
}

impl DlpackExporter for Picture {
    fn device(&self) -> DLDevice {
        DLDevice::CPU
    }

    fn flags(&self) -> DlpackFlags {
        DlpackFlags::empty()
    }

    fn prepare_export(&self, _py: Python<'_>, _request: &ExportRequest<'_>) -> PyResult<()> {
        Ok(())
    }

    fn export_legacy(&self, _py: Python<'_>) -> PyResult<Managed<DLManagedTensor>> {
        export(&self.pixels)
    }

    fn export_versioned(&self, _py: Python<'_>) -> PyResult<Managed<DLManagedTensorVersioned>> {
        export(&self.pixels)
    }
}

// SAFETY: the axes of the view live in the object, which nobody changes.
unsafe impl DlpackExchangeProducer for Picture {
    const HAS_DLTENSOR_VIEW: bool = true;

    fn managed_tensor_no_sync(&self, _py: Python<'_>) -> PyResult<Managed<DLManagedTensorVersioned>> {
        export(&self.pixels)
    }

    fn tensor_view_no_sync(&self, _py: Python<'_>) -> PyResult<DLTensor> {
        Ok(DLTensor {
            data: self.pixels.data.cast(),
            device: DLDevice::CPU,
            ndim: 3,
            dtype: DLDataType::U8,
            shape: self.shape.as_ptr().cast_mut(),
            strides: self.strides.as_ptr().cast_mut(),
            byte_offset: 0,
        })
    }

    fn current_work_stream(_py: Python<'_>, _device: DLDevice) -> PyResult<*mut c_void> {
        Ok(std::ptr::null_mut())
    }
}

fn refused(message: impl ToString) -> PyErr {
    PyBufferError::new_err(message.to_string())
}

fn import(x: &Bound<'_, PyAny>) -> PyResult<Pixels> {
    let imported = from_dlpack(x.as_borrowed(), None, None)?;
    let tensor = imported.validate().map_err(refused)?;
    if tensor.ndim() != 3
        || !tensor.dtype().matches(DLDataType::U8)
        || tensor.device() != DLDevice::CPU
        || imported.flags().contains(DlpackFlags::READ_ONLY)
    {
        return Err(refused("writable uint8 of three axes on the CPU is needed"));
    }
    let shape = tensor.shape();
    let (height, width, channels) = (shape[0], shape[1], shape[2]);
    let pitch = match tensor.strides() {
        None => width * channels,
        Some(strides) if strides[2] == 1 && strides[1] == channels && strides[0] >= width * channels => strides[0],
        Some(_) => return Err(refused("rows must be compact")),
    };
    // SAFETY: the memory is kept by what was imported.
    let data = unsafe { tensor.data_ptr().byte_add(tensor.byte_offset() as usize) };
    Ok(Pixels {
        data: data.cast_mut().cast(),
        height: i32::try_from(height)?,
        width: i32::try_from(width)?,
        channels: i32::try_from(channels)?,
        pitch: pitch as isize,
        _storage: Storage::Foreign(imported),
    })
}

/// One managed tensor of an `Arc<Pixels>`, without Python; for the driver's make_delete().
unsafe extern "C" fn make(
    pixels: *const Arc<Pixels>,
    out: *mut *mut DLManagedTensorVersioned,
    _error: *mut c_void,
) -> c_int {
    // SAFETY: the driver passes what pure() gave it.
    match export(unsafe { &*pixels }) {
        Ok(managed) => {
            unsafe { out.write(managed.into_raw()) };
            0
        }
        Err(_) => -1,
    }
}

#[pymethods]
impl Picture {
    #[new]
    fn new(height: i32, width: i32, channels: i32) -> Self {
        let mut pixels = vec![0u8; height as usize * width as usize * channels as usize];
        let data = pixels.as_mut_ptr();
        let pitch = width as isize * channels as isize;
        Picture::of(Pixels { data, height, width, channels, pitch, _storage: Storage::Own(pixels) })
    }

    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(u32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        export_dlpack(self, py, ExportRequest::parse(stream, max_version, dl_device, copy)?)
    }

    fn __dlpack_device__(&self) -> (i32, i32) {
        (1, 0)
    }

    #[staticmethod]
    fn from_dlpack(x: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Picture::of(import(x)?))
    }

    fn pure(&self) -> (usize, usize) {
        (make as *const () as usize, &raw const self.pixels as usize)
    }
}

#[pyfunction]
fn f(picture: &Bound<'_, PyAny>) -> PyResult<i32> {
    Ok(import(picture)?.channels)
}

#[pyfunction]
fn f3(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>, c: &Bound<'_, PyAny>) -> PyResult<i32> {
    let (a, b, c) = (import(a)?, import(b)?, import(c)?);
    Ok(a.channels + b.channels + c.channels)
}

#[pymodule]
fn peer_dlpark(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Picture>()?;
    install_exchange_api::<Picture>(m.py())?;
    m.add_function(wrap_pyfunction!(f, m)?)?;
    m.add_function(wrap_pyfunction!(f3, m)?)
}

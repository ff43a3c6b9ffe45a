//! MP4 with H.264, which every browser, editor and phone plays.
//!
//! Streams coded samples to a scratch file, and puts the container around them at the end. The
//! encoder is Cisco's OpenH264 in the constrained baseline profile. It is held at one quantiser
//! instead of a bit rate: grains are noise to an encoder, and a bit rate that suits a still pile
//! starves it while the pile falls.

use std::io::Write;
use std::path::Path;

use openh264::OpenH264API;
use openh264::encoder::{
    BitRate, Complexity, Encoder, EncoderConfig, FrameRate, IntraFramePeriod, Profile, QpRange, RateControlMode,
    UsageType, VuiConfig,
};
use openh264::formats::YUVSource;
use tumble_io::write_atomically;

use super::Scratch;
use super::boxes::{Track, clock};
use super::yuv::Planes;
use crate::{Image, PictureError};

/// The encoder's limits for the longer and the shorter side.
const MOST: (usize, usize) = (3840, 2160);
/// The encoder's unit is a block of sixteen pixels, and it takes no picture smaller than one.
const FEWEST: usize = 16;
/// The quantisers of the best and the least quality; the encoder goes no lower and the standard no
/// higher.
const QUANTISERS: (f64, f64) = (12.0, 51.0);
/// Seconds from one picture that a player can start from to the next.
const START_EVERY: f64 = 2.0;

/// An MP4 file that is being written.
pub(super) struct Mp4 {
    scratch: Scratch,
    encoder: Encoder,
    planes: Planes,
    track: Track,
    /// The sample in the making, kept for its memory.
    sample: Vec<u8>,
}

/// Whether the encoder takes pictures of this size.
pub(super) fn check_size(width: usize, height: usize) -> Result<(), PictureError> {
    let (longer, shorter) = (width.max(height), width.min(height));
    let bad = |what| Err(PictureError::BadSize { width, height, what });
    if longer > MOST.0 || shorter > MOST.1 {
        return bad("the H.264 encoder takes at most 3840 x 2160 or 2160 x 3840; choose a smaller size, or a .gif");
    }
    if shorter < FEWEST {
        return bad("the H.264 encoder takes at least 16 x 16; choose a larger size, or a .gif");
    }
    Ok(())
}

impl Mp4 {
    pub(super) fn new(
        scratch: Scratch,
        width: usize,
        height: usize,
        fps: f64,
        quality: u8,
    ) -> Result<Self, PictureError> {
        let planes = Planes::new(width, height);
        let (width, height) = planes.dimensions();
        let (best, least) = QUANTISERS;
        let quantiser = (least + (best - least) * f64::from(quality) / 100.0).round() as u8;
        // The encoder derives the level that it declares from this rate; it does not hold it.
        let bits = (width * height) as f64 * fps * 0.2;
        let config = EncoderConfig::new()
            .profile(Profile::Baseline)
            .usage_type(UsageType::CameraVideoRealTime)
            .complexity(Complexity::Medium)
            .rate_control_mode(RateControlMode::Bufferbased)
            .qp(QpRange::new(quantiser, quantiser))
            .bitrate(BitRate::from_bps(bits.clamp(1e5, 1e8) as u32))
            .max_frame_rate(FrameRate::from_hz(fps as f32))
            .intra_frame_period(IntraFramePeriod::from_num_frames((fps * START_EVERY).ceil() as u32))
            // Every picture is to be shown, and none is to be guessed from its neighbours.
            .skip_frames(false)
            .background_detection(false)
            .scene_change_detect(false)
            .adaptive_quantization(false)
            .num_threads(1)
            .vui(VuiConfig::bt709());
        let encoder = Encoder::with_api_config(OpenH264API::from_source(), config).map_err(PictureError::encoder)?;
        let track = Track {
            width: width as u16,
            height: height as u16,
            clock: clock(fps),
            sequence: Vec::new(),
            picture: Vec::new(),
            sizes: Vec::new(),
            starts: Vec::new(),
        };
        Ok(Self { scratch, encoder, planes, track, sample: Vec::new() })
    }

    pub(super) fn push(&mut self, image: &Image) -> Result<(), PictureError> {
        self.planes.read(image);
        let coded = self.encoder.encode(&self.planes).map_err(PictureError::encoder)?;
        self.sample.clear();
        let mut is_start = false;
        let layers = (0..coded.num_layers()).filter_map(|layer| coded.layer(layer));
        for layer in layers {
            for unit in (0..layer.nal_count()).filter_map(|unit| layer.nal_unit(unit)) {
                let unit = without_start_code(unit);
                // The lowest five bits are the kind of the unit: a whole picture, or parameters
                // that stand in the container instead.
                match unit.first().map(|head| head & 0x1f) {
                    Some(7) => self.track.sequence = unit.to_vec(),
                    Some(8) => self.track.picture = unit.to_vec(),
                    Some(kind) => {
                        is_start |= kind == 5;
                        self.sample.extend((unit.len() as u32).to_be_bytes());
                        self.sample.extend(unit);
                    }
                    None => {}
                }
            }
        }
        if self.sample.is_empty() {
            return Err(PictureError::encoder("the H.264 encoder left a picture out"));
        }
        self.scratch.write_all(&self.sample).map_err(|source| PictureError::write(&self.scratch.path, source))?;
        self.track.sizes.push(self.sample.len() as u32);
        if is_start {
            self.track.starts.push(self.track.sizes.len() as u32);
        }
        Ok(())
    }

    /// Writes the file and says whether it had pictures to write.
    pub(super) fn finish(mut self, path: &Path) -> Result<bool, PictureError> {
        if self.track.sizes.is_empty() {
            return Ok(false);
        }
        write_atomically(path, |out| {
            out.write_all(&self.track.head())?;
            self.scratch.copy_to(out)
        })?;
        Ok(true)
    }
}

/// A unit of the encoder's stream without the zeros and the one before it.
fn without_start_code(unit: &[u8]) -> &[u8] {
    unit.strip_prefix(&[0, 0, 0, 1]).or_else(|| unit.strip_prefix(&[0, 0, 1])).unwrap_or(unit)
}

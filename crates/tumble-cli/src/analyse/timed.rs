//! One run of a variant in numbers: seconds and bodies awake of every frame, and how different its
//! bodies move from those of another run.
//!
//! The motion of the run that others are compared with goes through a file: a recording in the
//! study's folder, without the columns that the error measure does not read, because ten thousand
//! bodies over thousands of frames would not fit into memory.

use std::path::Path;

use tumble::measure::{ErrorMean, FrameError, MotionError};
use tumble::{Frame, FrameBody, Simulation};
use tumble_io::{Recording, RecordingWriter};
use tumble_run::header;
use tumble_scene::Scene;

use super::study::{Study, VariantEnd};
use super::vary::Variant;
use crate::Failure;

/// Use of the motion of a run. The clock stands still meanwhile.
#[derive(Clone, Copy)]
pub(super) enum MotionUse<'a> {
    /// It is written to this file.
    Kept(&'a Path),
    /// It is compared with that in this file, which counts as right.
    Compared(&'a Path),
    Ignored,
}

/// One frame of a run.
pub(super) struct TimedFrame {
    pub(super) frame: i64,
    pub(super) seconds: f64,
    pub(super) bodies: u64,
    pub(super) awake: u64,
    /// The error of this frame, if motion was compared.
    pub(super) error: Option<FrameError>,
}

/// A whole run.
pub(super) struct TimedRun {
    pub(super) frames: Vec<TimedFrame>,
    /// The mean error over all frames, if motion was compared.
    pub(super) error: Option<ErrorMean>,
}

impl TimedRun {
    /// Runs a variant; none if it did not come to its end.
    pub(super) fn run(study: &mut Study, variant: &Variant, motion: MotionUse<'_>) -> Result<Option<Self>, Failure> {
        let mut scene = variant.load()?;
        let mut other = MotionFile::new(&scene, motion)?;
        other.see(&scene.simulation)?;
        let mut frames = Vec::new();
        let end = study.run(&variant.name, &mut scene, |simulation, report, seconds| {
            let (bodies, awake) = (report.bodies, report.awake);
            let error = other.see(simulation)?;
            frames.push(TimedFrame { frame: report.frame, seconds, bodies, awake, error });
            Ok(())
        })?;
        let error = if let MotionFile::Right(both) = other { Some(both.error.mean()) } else { None };
        Ok((end == VariantEnd::Whole).then_some(Self { frames, error }))
    }

    pub(super) fn seconds(&self) -> f64 {
        self.frames.iter().map(|frame| frame.seconds).sum()
    }

    /// Mean number of bodies awake per frame.
    pub(super) fn awake(&self) -> f64 {
        self.frames.iter().map(|frame| frame.awake as f64).sum::<f64>() / self.frames.len() as f64
    }

    /// The faster of two runs of the same variant; they differ by nothing else, and the earlier one
    /// has the errors of motion.
    pub(super) fn faster(before: Option<Self>, mut now: Self) -> Self {
        let Some(before) = before else { return now };
        if before.seconds() <= now.seconds() {
            return before;
        }
        for (now, before) in now.frames.iter_mut().zip(&before.frames) {
            now.error = before.error;
        }
        Self { error: before.error, ..now }
    }
}

/// The recording to which the motion of a run is written, or with which it is compared.
enum MotionFile {
    Writer(Box<(RecordingWriter, Frame)>),
    Right(Box<Right>),
    Nobody,
}

/// The run that counts as right, and the present frames of both runs.
struct Right {
    recording: Recording,
    error: MotionError,
    next: usize,
    right: Frame,
    now: Frame,
}

impl MotionFile {
    fn new(scene: &Scene, motion: MotionUse<'_>) -> Result<Self, Failure> {
        Ok(match motion {
            MotionUse::Kept(path) => {
                let (header, meshes) = header::of(scene);
                Self::Writer(Box::new((RecordingWriter::create(path, &header, &meshes)?, Frame::default())))
            }
            MotionUse::Compared(path) => Self::Right(Box::new(Right {
                recording: Recording::open(path)?,
                error: MotionError::new(MotionError::FLOOR, &radii(scene)),
                next: 0,
                right: Frame::default(),
                now: Frame::default(),
            })),
            MotionUse::Ignored => Self::Nobody,
        })
    }

    /// Takes the next frame.
    fn see(&mut self, simulation: &Simulation) -> Result<Option<FrameError>, Failure> {
        match self {
            Self::Writer(both) => {
                let (writer, frame) = &mut **both;
                simulation.show(frame);
                let (orientation, still) = ([1.0, 0.0, 0.0, 0.0], [0.0; 3]);
                frame.bodies.iter_mut().for_each(|body| {
                    *body = FrameBody { orientation, velocity: still, spin: still, contacts: 0, ..*body };
                });
                writer.append(frame)?;
                Ok(None)
            }
            Self::Right(both) => {
                let Right { recording, error, next, right, now } = &mut **both;
                recording.read(*next, right)?;
                *next += 1;
                simulation.show(now);
                Ok(error.push(right, now))
            }
            Self::Nobody => Ok(None),
        }
    }
}

/// Radius of a body of size one, for each shape \[m\].
fn radii(scene: &Scene) -> Vec<f64> {
    scene.simulation.world().shapes.iter().map(|shape| shape.bounding_radius).collect()
}

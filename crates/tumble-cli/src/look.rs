//! Camera, size and colours of pictures, as the command line gives them: shared by all commands
//! that make pictures.

use glam::Vec3;
use tumble::{Frame, FrameDetail};
use tumble_io::Recording;
use tumble_picture::{Camera, ColourBy, Colouring, Image, Overlays, Quality, Renderer, View};

use crate::Failure;
use crate::progress::Line;

#[derive(clap::Args, Clone)]
pub(crate) struct LookArguments {
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse_size)]
    pub(crate) size: [usize; 2],
    /// Quality of a picture: more work gives finer light and edges
    #[arg(long, value_name = "LEVEL", default_value = "good", value_parser = one_of(Quality::ALL.map(Quality::name)))]
    quality: String,
    /// Quantity that the colour of bodies shows
    #[arg(long, value_name = "WHAT", default_value = "material", value_parser = one_of(ColourBy::ALL.map(ColourBy::name)))]
    colour: String,
    /// Overlays drawn over the bodies; may be given several times
    #[arg(long, value_name = "WHAT", value_parser = one_of(["layers", "guides", "constraints"]))]
    overlay: Vec<String>,
    /// Draw the grains in place of the particles that follow them
    #[arg(long)]
    grains: bool,
    /// Draw a legend of the colours
    #[arg(long)]
    legend: bool,
    /// Position of the camera, in metres, such as 1,-2,1.5 [default: the scene's, else one that
    /// sees the whole motion]
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_point, allow_hyphen_values = true)]
    camera: Option<Vec3>,
    /// Point that the camera looks at, in metres [default: the scene's, else the centre of the
    /// motion]
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_point, allow_hyphen_values = true)]
    target: Option<Vec3>,
    /// Vertical field of view, in degrees [default: the scene's, else 30]
    #[arg(long, value_name = "DEGREES", value_parser = parse_fov)]
    fov: Option<f32>,
}

fn one_of<const N: usize>(names: [&'static str; N]) -> clap::builder::PossibleValuesParser {
    names.into()
}

fn parse_size(text: &str) -> Result<[usize; 2], String> {
    let size = text.split_once('x').and_then(|(width, height)| Some([width.parse().ok()?, height.parse().ok()?]));
    size.filter(|size| size.iter().all(|side| (1..=16384).contains(side)))
        .ok_or_else(|| "write width and height from 1 to 16384 pixels, such as 1280x720".into())
}

fn parse_point(text: &str) -> Result<Vec3, String> {
    let numbers: Option<Vec<f32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) if Vec3::new(x, y, z).is_finite() => Ok(Vec3::new(x, y, z)),
        _ => Err("write three numbers with commas between them, such as 1,-2,1.5".into()),
    }
}

fn parse_fov(text: &str) -> Result<f32, String> {
    let fov = text.parse().ok().filter(|fov| (1.0..=150.0).contains(fov));
    fov.ok_or_else(|| "write an angle from 1 to 150 degrees".into())
}

impl LookArguments {
    /// How the frames of a recording are looked at.
    pub(crate) fn view(&self, renderer: &Renderer) -> Result<View, Failure> {
        let usual = renderer.view(self.size);
        let camera = Camera {
            position: self.camera.unwrap_or(usual.camera.position),
            target: self.target.unwrap_or(usual.camera.target),
            fov: self.fov.unwrap_or(usual.camera.fov),
        };
        if camera.position == camera.target {
            return Err("the camera is at its target\nhelp: move --camera away from --target".into());
        }
        let lays = |what: &str| self.overlay.iter().any(|overlay| overlay == what);
        let quality = Quality::ALL.into_iter().find(|quality| quality.name() == self.quality).unwrap_or_default();
        let by = ColourBy::ALL.into_iter().find(|by| by.name() == self.colour).unwrap_or_default();
        Ok(View {
            camera,
            quality,
            colouring: Colouring { by, ..usual.colouring },
            overlays: Overlays { layers: lays("layers"), guides: lays("guides"), constraints: lays("constraints") },
            grains: self.grains,
            legend: self.legend,
            ..usual
        })
    }
}

/// Indices of this number of frames, spread evenly from the first to the last.
pub(crate) fn spread(frames: &[usize], count: usize) -> Vec<usize> {
    let count = count.min(frames.len());
    let last = frames.len().saturating_sub(1);
    (0..count).map(|k| frames[(k * last + (count - 1) / 2) / (count - 1).max(1)]).collect()
}

/// Reads the part of a frame that a view shows: without its particles, which may be millions, if it
/// does not show them.
pub(crate) fn read(
    recording: &mut Recording,
    index: usize,
    view: &View,
    frame: &mut Frame,
    detail: &mut FrameDetail,
) -> Result<(), Failure> {
    recording.read(index, frame)?;
    if !view.grains {
        recording.read_particles(index, detail)?;
    }
    Ok(())
}

/// A picture of a frame, with the text under it.
pub(crate) fn picture(
    recording: &mut Recording,
    renderer: &Renderer,
    view: &View,
    index: usize,
) -> Result<(Image, String), Failure> {
    let (mut frame, mut detail) = (Frame::default(), FrameDetail::default());
    read(recording, index, view, &mut frame, &mut detail)?;
    let image = renderer.render(&frame, &detail.particles, view);
    Ok((image, format!("frame {}, {:.2} s", frame.number, frame.time)))
}

/// Makes pictures of some frames, with a progress line. The last argument has how many pictures
/// were made before, and how many there are in all.
pub(crate) fn pictures(
    recording: &mut Recording,
    renderer: &Renderer,
    view: &View,
    indices: &[usize],
    line: &mut Line,
    (before, all): (usize, usize),
) -> Result<(Vec<Image>, Vec<String>), Failure> {
    let (mut images, mut labels) = (Vec::new(), Vec::new());
    for (done, &index) in indices.iter().enumerate() {
        let (image, label) = picture(recording, renderer, view, index)?;
        images.push(image);
        labels.push(label);
        let done = before + done + 1;
        line.tell(done as u64, (all - done) as u64, format_args!("picture {done} of {all}"))?;
    }
    Ok((images, labels))
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn frames_are_spread_from_the_first_to_the_last() {
        let frames: Vec<usize> = (10..20).collect();
        assert_eq!(spread(&frames, 4), [10, 13, 16, 19]);
        assert_eq!(spread(&frames, 1), [10]);
        assert_eq!(spread(&frames, 99), frames);
        assert!(spread(&[], 3).is_empty());
    }
}

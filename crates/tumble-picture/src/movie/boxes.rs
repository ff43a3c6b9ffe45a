//! The MP4 container: the boxes of ISO/IEC 14496-12 and -15 that describe the samples and their
//! times.
//!
//! Reads a finished track, writes everything that stands before its samples, so that a browser
//! shows the first picture before it has the last one. The movie is one track of one chunk without
//! sound. Its clock has a whole number of ticks per picture, so that 23.976 pictures per second are
//! exactly 24000/1001.

/// Content of the container, apart from the samples themselves.
pub(super) struct Track {
    /// Pixels in a row.
    pub(super) width: u16,
    /// Rows.
    pub(super) height: u16,
    /// Ticks per second and ticks per picture.
    pub(super) clock: (u32, u32),
    /// The encoder's sequence parameter set, without a start code.
    pub(super) sequence: Vec<u8>,
    /// The encoder's picture parameter set, without a start code.
    pub(super) picture: Vec<u8>,
    /// Bytes of every sample.
    pub(super) sizes: Vec<u32>,
    /// Numbers of the samples that a player can start from, counted from one.
    pub(super) starts: Vec<u32>,
}

/// Ticks per second and ticks per picture for a rate, as exact as a rate can be written.
pub(super) fn clock(fps: f64) -> (u32, u32) {
    let whole = |value: f64| (value - value.round()).abs() < 1e-6 * value;
    // Television's rates are whole numbers over 1.001, which nobody writes with all digits: 23.976,
    // 29.97, 59.94.
    let television = (fps * 1.001).round();
    let (mut rate, mut ticks) = if !whole(fps) && (fps - television / 1.001).abs() < 5e-4 {
        (television * 1000.0, 1001)
    } else {
        let exact = (1..=1000).find(|&ticks| whole(fps * f64::from(ticks))).unwrap_or(1000);
        ((fps * f64::from(exact)).round().max(1.0), exact)
    };
    // Some editors round times to ticks of their own; fine ticks lose less.
    while rate < 10_000.0 {
        rate *= 2.0;
        ticks *= 2;
    }
    (rate as u32, ticks)
}

impl Track {
    /// Everything before the samples: the kind of the file, the description of the track, and the
    /// head of the data.
    pub(super) fn head(&self) -> Vec<u8> {
        let kind = boxed(b"ftyp", &[b"isom", &[0, 0, 2, 0], b"isom", b"iso2", b"avc1", b"mp41"]);
        let data: u64 = self.sizes.iter().map(|&size| u64::from(size)).sum();
        // A size of one announces eight bytes of size, for movies beyond four GiB.
        let data_head = match u32::try_from(data + 8) {
            Ok(size) => [&size.to_be_bytes()[..], b"mdat"].concat(),
            Err(_) => [&1_u32.to_be_bytes()[..], b"mdat", &(data + 16).to_be_bytes()].concat(),
        };
        // The length of the description does not depend on the place of the data that it names.
        let start = kind.len() + self.description(0).len() + data_head.len();
        [kind, self.description(start as u64), data_head].concat()
    }

    fn description(&self, data_start: u64) -> Vec<u8> {
        let length = self.sizes.len() as u64 * u64::from(self.clock.1);
        let rate = self.clock.0;
        let movie = [rate.to_be_bytes().as_slice(), &length.to_be_bytes(), &[0, 1, 0, 0, 1, 0], &[0; 10]].concat();
        let movie = whole_box(b"mvhd", 1, &[&[0; 16], &movie, &matrix(), &[0; 24], &2_u32.to_be_bytes()]);
        let side = |pixels: u16| (u32::from(pixels) << 16).to_be_bytes();
        let track = [&[0; 16][..], &1_u32.to_be_bytes(), &[0; 4], &length.to_be_bytes(), &[0; 16]].concat();
        let mut track = whole_box(b"tkhd", 1, &[&track, &matrix(), &side(self.width), &side(self.height)]);
        // Enabled, and part of the movie.
        track[11] = 3;
        // The language is "und", five bits per letter.
        let media = [rate.to_be_bytes().as_slice(), &length.to_be_bytes(), &[0x55, 0xc4, 0, 0]].concat();
        let media = whole_box(b"mdhd", 1, &[&[0; 16], &media]);
        let handler = whole_box(b"hdlr", 0, &[&[0; 4], b"vide", &[0; 12], b"video\0"]);
        let mut video = whole_box(b"vmhd", 0, &[&[0; 8]]);
        // The standard wants this flag of every video.
        video[11] = 1;
        // The samples are in this very file.
        let mut here = whole_box(b"url ", 0, &[]);
        here[11] = 1;
        let place = boxed(b"dinf", &[&whole_box(b"dref", 0, &[&1_u32.to_be_bytes(), &here])]);
        let information = boxed(b"minf", &[&video, &place, &self.samples(data_start)]);
        let media = boxed(b"mdia", &[&media, &handler, &information]);
        boxed(b"moov", &[&movie, &boxed(b"trak", &[&track, &media])])
    }

    /// The sample tables: coding, durations, key frames, sizes and file offset.
    fn samples(&self, data_start: u64) -> Vec<u8> {
        let count = self.sizes.len() as u32;
        let description = whole_box(b"stsd", 0, &[&1_u32.to_be_bytes(), &self.coding()]);
        let times = table(b"stts", 1, &[count, self.clock.1]);
        let starts = table(b"stss", self.starts.len(), &self.starts);
        let chunks = table(b"stsc", 1, &[1, count, 1]);
        let sizes = table(b"stsz", 0, &[&[count], self.sizes.as_slice()].concat());
        let places = whole_box(b"co64", 0, &[&1_u32.to_be_bytes(), &data_start.to_be_bytes()]);
        boxed(b"stbl", &[&description, &times, &starts, &chunks, &sizes, &places])
    }

    /// The sample entry: coding of the samples, and the parameter sets that a decoder needs first.
    fn coding(&self) -> Vec<u8> {
        let size = [self.width.to_be_bytes(), self.height.to_be_bytes()].concat();
        // 72 pixels per inch, one picture per sample, no compressor name, 24 bits per pixel.
        let resolution = [0, 72, 0, 0, 0, 72, 0, 0, 0, 0, 0, 0, 0, 1];
        let picture = [&[0, 0, 0, 0, 0, 0, 0, 1], &[0; 16][..], &size, &resolution, &[0; 32], &[0, 24, 0xff, 0xff]];
        // Profile and level are the three bytes after the head of the sequence parameters; lengths
        // have four bytes.
        let profile = self.sequence.get(1..4).unwrap_or(&[66, 0xc0, 31]);
        let length = |part: &[u8]| (part.len() as u16).to_be_bytes();
        let (sequence, parameters) = (&self.sequence, &self.picture);
        let decoder = boxed(
            b"avcC",
            &[&[1], profile, &[0xff, 0xe1], &length(sequence), sequence, &[1], &length(parameters), parameters],
        );
        // Primaries, transfer and matrix of BT.709 in the limited range.
        let colour = boxed(b"colr", &[b"nclx", &[0, 1, 0, 1, 0, 1, 0]]);
        boxed(b"avc1", &[&picture.concat(), &decoder, &colour])
    }
}

/// A box: its length, its name, its content.
fn boxed(name: &[u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    [&(content.len() as u32 + 8).to_be_bytes()[..], name, &content].concat()
}

/// A box with a version and, in its twelfth byte, flags.
fn whole_box(name: &[u8; 4], version: u8, parts: &[&[u8]]) -> Vec<u8> {
    boxed(name, &[&[version, 0, 0, 0], &parts.concat()])
}

/// A box of numbers, the first of which says how many rows follow, or the size that all samples
/// have.
fn table(name: &[u8; 4], first: usize, rows: &[u32]) -> Vec<u8> {
    let numbers: Vec<u8> = [first as u32].iter().chain(rows).flat_map(|number| number.to_be_bytes()).collect();
    whole_box(name, 0, &[&numbers])
}

/// The picture is shown as it is: ones on the diagonal, in fixed point.
fn matrix() -> Vec<u8> {
    [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000_u32].iter().flat_map(|number| number.to_be_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_exact() {
        let rate = |fps: f64| {
            let (rate, ticks) = clock(fps);
            f64::from(rate) / f64::from(ticks)
        };
        for fps in [24.0, 25.0, 30.0, 60.0, 12.5, 0.5, 7.3, 100.0 / 3.0, 1000.0, 0.01] {
            assert!((rate(fps) - fps).abs() < 2e-6 * fps, "{fps} became {}", rate(fps));
        }
        assert_eq!(rate(23.976), 24_000.0 / 1001.0);
        assert_eq!(rate(29.97), 30_000.0 / 1001.0);
        assert_eq!(rate(59.94), 60_000.0 / 1001.0);
        assert_eq!(clock(24.0).0 / clock(24.0).1, 24);
    }
}

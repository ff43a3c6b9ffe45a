//! MP4 files: boxes read here, pictures decoded with the decoder of OpenH264.

use std::fs;

use openh264::decoder::Decoder;
use openh264::formats::YUVSource;
use tumble_picture::Movie;

use super::{Folder, likeness, pile, write_movie};

/// The content of the box at the end of a path such as `moov/trak`.
fn find<'a>(bytes: &'a [u8], path: &str) -> &'a [u8] {
    let (name, rest) = path.split_once('/').unwrap_or((path, ""));
    let mut bytes = bytes;
    while !bytes.is_empty() {
        let size = number(bytes, 0) as usize;
        if &bytes[4..8] == name.as_bytes() {
            return if rest.is_empty() { &bytes[8..size] } else { find(&bytes[8..size], rest) };
        }
        bytes = &bytes[size..];
    }
    panic!("no box {name}");
}

/// Four bytes as a number.
fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// A file taken apart.
struct Mp4 {
    seconds: f64,
    /// Pictures per second: ticks per second over ticks per picture.
    rate: f64,
    size: (u32, u32),
    /// Numbers of the samples to start from.
    starts: Vec<u32>,
    pictures: Vec<Vec<[u8; 3]>>,
}

fn read(bytes: &[u8]) -> Mp4 {
    const TABLES: &str = "moov/trak/mdia/minf/stbl";
    let table = |name: &str| find(bytes, &format!("{TABLES}/{name}"));
    let names: Vec<&[u8]> = [0, find(bytes, "ftyp").len() + 8].iter().map(|&at| &bytes[at + 4..at + 8]).collect();
    assert_eq!(names, [b"ftyp", b"moov"], "the description stands before the data");

    let media = find(bytes, "moov/trak/mdia/mdhd");
    let (second, length) = (number(media, 20), number(media, 28));
    let movie = find(bytes, "moov/mvhd");
    assert_eq!((number(movie, 20), number(movie, 28)), (second, length));
    let times = table("stts");
    assert_eq!(number(times, 4), 1, "all pictures stay equally long");
    let (count, ticks) = (number(times, 8), number(times, 12));
    assert_eq!(length, count * ticks);

    let coding = &table("stsd")[8..];
    assert_eq!(&coding[4..8], b"avc1");
    let size = (number(coding, 32) >> 16, number(coding, 32) & 0xffff);
    let track = find(bytes, "moov/trak/tkhd");
    assert_eq!((number(track, 88) >> 16, number(track, 92) >> 16), size);
    let decoder = find(&coding[86..], "avcC");
    // Baseline, with the flag of constrained baseline.
    assert_eq!((decoder[1], decoder[2] & 0x40), (66, 0x40));
    assert_eq!(find(&coding[86..], "colr"), [b"nclx", &[0, 1, 0, 1, 0, 1, 0][..]].concat());

    // Parameter sets first, then the samples, all with start codes instead of lengths.
    let sets = {
        let sequence = usize::from(decoder[6]) << 8 | usize::from(decoder[7]);
        let rest = &decoder[8 + sequence..];
        [&[0, 0, 0, 1], &decoder[8..8 + sequence], &[0, 0, 0, 1], &rest[3..]].concat()
    };
    let sizes = table("stsz");
    assert_eq!((number(sizes, 4), number(sizes, 8)), (0, count));
    let mut place = number(table("co64"), 12) as usize;
    let mut openh264 = Decoder::new().unwrap();
    let mut pictures = Vec::new();
    let mut show = |picture: Option<openh264::decoder::DecodedYUV<'_>>| pictures.extend(picture.map(|it| colours(&it)));
    show(openh264.decode(&sets).unwrap());
    for sample in 0..count as usize {
        let end = place + number(sizes, 12 + 4 * sample) as usize;
        let mut stream = Vec::new();
        while place < end {
            let unit = number(bytes, place) as usize;
            stream.extend([0, 0, 0, 1]);
            stream.extend(&bytes[place + 4..place + 4 + unit]);
            place += 4 + unit;
        }
        assert_eq!(place, end);
        show(openh264.decode(&stream).unwrap());
    }
    for picture in openh264.flush_remaining().unwrap() {
        show(Some(picture));
    }
    assert_eq!(place, bytes.len());
    let starts = table("stss");
    Mp4 {
        seconds: f64::from(length) / f64::from(second),
        rate: f64::from(second) / f64::from(ticks),
        size,
        starts: (0..number(starts, 4) as usize).map(|index| number(starts, 8 + 4 * index)).collect(),
        pictures,
    }
}

/// Red, green and blue from the planes, by the inverse of ITU-R BT.709 in the limited range.
fn colours(planes: &impl YUVSource) -> Vec<[u8; 3]> {
    let ((width, height), (row, half_row, _)) = (planes.dimensions(), planes.strides());
    let pixel = |place: usize| {
        let (x, y) = (place % width, place / width);
        let luma = (f64::from(planes.y()[y * row + x]) - 16.0) * 255.0 / 219.0;
        let tint = |plane: &[u8]| (f64::from(plane[y / 2 * half_row + x / 2]) - 128.0) * 255.0 / 224.0;
        let (blue, red) = (tint(planes.u()), tint(planes.v()));
        [luma + 1.5748 * red, luma - 0.1873 * blue - 0.4681 * red, luma + 1.8556 * blue]
            .map(|value| value.round() as u8)
    };
    (0..width * height).map(pixel).collect()
}

#[test]
fn all_pictures_come_back_at_the_right_rate() {
    let folder = Folder::new("mp4");
    let path = folder.file("a.MP4");
    for (fps, exact) in [(24.0, 24.0), (23.976, 24_000.0 / 1001.0), (12.5, 12.5), (60.0, 60.0), (7.3, 7.3)] {
        write_movie(&path, (96, 64), fps, 30, Movie::DEFAULT_QUALITY);
        let movie = read(&fs::read(&path).unwrap());
        assert!((movie.rate - exact).abs() < 1e-9, "{fps} became {}", movie.rate);
        assert!((movie.seconds - 30.0 / exact).abs() < 1e-9);
        assert_eq!(movie.size, (96, 64));
        assert_eq!(movie.pictures.len(), 30);
        for (frame, picture) in movie.pictures.iter().enumerate() {
            let alike = likeness(picture, &pile(96, 64, frame).pixels);
            assert!(alike > 30.0, "{fps} per second, frame {frame}: {alike} dB");
        }
    }
    assert_eq!(folder.names(), ["a.MP4"]);
}

#[test]
fn an_odd_size_grows_by_its_edge() {
    let folder = Folder::new("mp4-odd");
    let path = folder.file("a.mp4");
    write_movie(&path, (97, 65), 24.0, 3, 90);
    let movie = read(&fs::read(&path).unwrap());
    assert_eq!(movie.size, (98, 66));
    let original = pile(97, 65, 2);
    let row = |y: usize| &original.pixels[y.min(64) * 97..][..97];
    let expected: Vec<[u8; 3]> = (0..66).flat_map(|y| row(y).iter().chain(row(y).last())).copied().collect();
    let alike = likeness(&movie.pictures[2], &expected);
    assert!(alike > 34.0, "{alike} dB");
}

#[test]
fn a_player_can_start_every_two_seconds() {
    let folder = Folder::new("mp4-starts");
    let path = folder.file("a.mp4");
    write_movie(&path, (32, 32), 12.5, 60, 50);
    assert_eq!(read(&fs::read(&path).unwrap()).starts, [1, 26, 51]);
}

#[test]
fn more_quality_is_nearer_and_larger() {
    let folder = Folder::new("mp4-quality");
    let path = folder.file("a.mp4");
    let measure = |quality| {
        write_movie(&path, (160, 90), 24.0, 4, quality);
        let bytes = fs::read(&path).unwrap();
        (likeness(&read(&bytes).pictures[3], &pile(160, 90, 3).pixels), bytes.len())
    };
    let all: Vec<_> = [0, 25, 50, 70, 85, 100, 255].map(measure).into();
    assert!(all[..6].windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1), "{all:?}");
    assert_eq!(all[5], all[6]);
}

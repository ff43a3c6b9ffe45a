//! Refused input: the messages, and the files on the disk afterwards.

use std::fs;
use std::path::Path;

use tumble_picture::{Image, Movie, PictureError};

use super::{Folder, pile};

#[test]
fn a_movie_that_is_not_finished_leaves_nothing() {
    for name in ["a.mp4", "a.gif"] {
        let folder = Folder::new("dropped");
        let path = folder.file(name);
        let mut movie = Movie::create(&path, 64, 48, 24.0, 70).unwrap();
        for frame in 0..5 {
            movie.push(&pile(64, 48, frame)).unwrap();
        }
        assert!(!path.exists(), "the target appears at the end");
        drop(movie);
        assert!(folder.names().is_empty(), "{:?}", folder.names());

        // A file of that name stays as it is.
        fs::write(&path, "older").unwrap();
        let mut movie = Movie::create(&path, 64, 48, 24.0, 70).unwrap();
        movie.push(&pile(64, 48, 0)).unwrap();
        drop(movie);
        assert_eq!(fs::read(&path).unwrap(), b"older");
        assert_eq!(folder.names(), [name]);
    }
}

#[test]
fn a_movie_without_pictures_is_an_error() {
    for name in ["a.mp4", "a.gif"] {
        let folder = Folder::new("empty");
        let error = Movie::create(&folder.file(name), 64, 48, 24.0, 70).unwrap().finish().unwrap_err();
        assert!(matches!(error, PictureError::NoPictures { .. }), "{error}");
        assert!(error.to_string().contains("no pictures"), "{error}");
        assert!(folder.names().is_empty());
    }
}

#[test]
fn a_picture_of_another_size_is_an_error_and_the_movie_goes_on() {
    for name in ["a.mp4", "a.gif"] {
        let folder = Folder::new("size");
        let mut movie = Movie::create(&folder.file(name), 64, 48, 24.0, 70).unwrap();
        movie.push(&pile(64, 48, 0)).unwrap();
        let error = movie.push(&pile(48, 64, 1)).unwrap_err().to_string();
        assert!(error.contains("64 x 48") && error.contains("48 x 64"), "{error}");
        let short = Image { width: 64, height: 48, pixels: vec![[0; 3]; 5] };
        assert!(matches!(movie.push(&short), Err(PictureError::Encoder { .. })));
        movie.push(&pile(64, 48, 1)).unwrap();
        movie.finish().unwrap();
        assert_eq!(folder.names(), [name]);
    }
}

#[test]
fn sizes_rates_and_names_that_cannot_be_are_explained() {
    let folder = Folder::new("cannot");
    let error = |name: &str, width, height, fps| {
        Movie::create(&folder.file(name), width, height, fps, 70).err().expect(name).to_string()
    };
    for (width, height) in [(3841, 100), (100, 3841), (2161, 2161)] {
        assert!(error("a.mp4", width, height, 24.0).contains("at most 3840 x 2160"));
    }
    assert!(error("a.mp4", 640, 15, 24.0).contains("at least 16 x 16"));
    assert!(error("a.gif", 0, 15, 24.0).contains("from 1 to 65535"));
    assert!(error("a.gif", 65536, 15, 24.0).contains("from 1 to 65535"));
    for fps in [0.0, -1.0, f64::NAN, f64::INFINITY, 1001.0] {
        assert!(error("a.gif", 64, 48, fps).contains("from 0.01 to 1000"));
    }
    for name in ["a.avi", "mp4", "a"] {
        assert!(error(name, 64, 48, 24.0).contains(".mp4 or .gif"));
    }
    assert!(folder.names().is_empty());
    let nowhere = Movie::create(Path::new("no/such/folder/a.mp4"), 64, 48, 24.0, 70).err().unwrap().to_string();
    assert!(nowhere.contains("cannot write no/such/folder/a.mp4") && nowhere.contains("check the path"), "{nowhere}");
}

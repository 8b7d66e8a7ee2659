//! The record of an episode: events, blobs, hash chain, reader.

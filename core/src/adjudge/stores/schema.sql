-- A version of a recording, and the chunks that it was cut into.
CREATE TABLE source (
    source_id INTEGER PRIMARY KEY,
    file TEXT NOT NULL,
    mark BLOB NOT NULL,
    reading TEXT NOT NULL
) STRICT;
CREATE INDEX source_of_file ON source (file);

CREATE TABLE source_chunk (
    source_id INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
    number INTEGER NOT NULL,
    start INTEGER NOT NULL,
    length INTEGER NOT NULL,
    line INTEGER NOT NULL,
    chunk_id INTEGER NOT NULL REFERENCES chunk,
    refs_id INTEGER NOT NULL REFERENCES refs,
    lost INTEGER NOT NULL,
    PRIMARY KEY (source_id, number)
) STRICT, WITHOUT ROWID;

-- Content: samples are known by their digests, a chunk by the digest of those and of what read them.
CREATE TABLE chunk (
    chunk_id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    reading TEXT NOT NULL,
    size INTEGER NOT NULL,
    digests BLOB NOT NULL
) STRICT;

CREATE TABLE slice (
    chunk_id INTEGER NOT NULL REFERENCES chunk ON DELETE CASCADE,
    key TEXT NOT NULL,
    members BLOB NOT NULL,
    PRIMARY KEY (chunk_id, key)
) STRICT;

CREATE TABLE kept (
    chunk_id INTEGER PRIMARY KEY REFERENCES chunk ON DELETE CASCADE,
    lines BLOB NOT NULL
) STRICT;

CREATE TABLE refs (
    refs_id INTEGER PRIMARY KEY,
    samples BLOB NOT NULL,
    warnings BLOB NOT NULL
) STRICT;

CREATE TABLE judge (
    judge_id INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE
) STRICT;

-- What a judge said of a chunk, shared by the runs that take it over.
CREATE TABLE segment (
    segment_id INTEGER PRIMARY KEY,
    judge_id INTEGER NOT NULL REFERENCES judge,
    chunk_id INTEGER NOT NULL REFERENCES chunk,
    repetition INTEGER NOT NULL,
    verdicts BLOB NOT NULL,
    judgments BLOB NOT NULL,
    counts BLOB NOT NULL,
    again INTEGER NOT NULL
) STRICT;
CREATE INDEX segment_of_pair ON segment (chunk_id, judge_id, repetition);

CREATE TABLE run (
    run_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    info BLOB NOT NULL,
    state TEXT NOT NULL,
    claim TEXT NOT NULL,
    samples INTEGER NOT NULL DEFAULT 0,
    reused INTEGER NOT NULL DEFAULT 0,
    lost INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE run_chunk (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    number INTEGER NOT NULL,
    file TEXT,
    chunk_id INTEGER NOT NULL REFERENCES chunk,
    refs_id INTEGER NOT NULL REFERENCES refs,
    PRIMARY KEY (run_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_chunk_of_file ON run_chunk (file, run_id);

CREATE TABLE run_segment (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    number INTEGER NOT NULL,
    judge INTEGER NOT NULL,
    segment_id INTEGER NOT NULL REFERENCES segment,
    PRIMARY KEY (run_id, number, judge)
) STRICT, WITHOUT ROWID;

CREATE TABLE tally (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    slice TEXT NOT NULL,
    judge INTEGER NOT NULL,
    what TEXT NOT NULL,
    detail TEXT NOT NULL,
    amount REAL NOT NULL,
    PRIMARY KEY (run_id, slice, judge, what, detail)
) STRICT, WITHOUT ROWID;

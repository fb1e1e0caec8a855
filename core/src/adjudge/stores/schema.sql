CREATE TABLE run (
    run_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    info BLOB NOT NULL,
    samples INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE chunk (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    number INTEGER NOT NULL,
    first INTEGER NOT NULL,
    samples BLOB NOT NULL,
    PRIMARY KEY (run_id, number)
) STRICT;

CREATE TABLE segment (
    run_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    judge INTEGER NOT NULL,
    verdicts BLOB NOT NULL,
    judgments BLOB NOT NULL,
    PRIMARY KEY (run_id, number, judge),
    FOREIGN KEY (run_id, number) REFERENCES chunk ON DELETE CASCADE
) STRICT;

CREATE TABLE tally (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    slice TEXT NOT NULL,
    judge INTEGER NOT NULL,
    what TEXT NOT NULL,
    detail TEXT NOT NULL,
    amount REAL NOT NULL,
    PRIMARY KEY (run_id, slice, judge, what, detail)
) STRICT, WITHOUT ROWID;

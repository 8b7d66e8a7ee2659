//! Chromium: process guard, CDP connection, pages, deadlines, dialogs, crashes, network wall.

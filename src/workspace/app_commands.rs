//! What can be done in calendar, to-do, maps, code editor and shop beyond the plain writes of
//! [`Command`](super::Command).

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::scenario::model::{CalendarColour, Detail, Priority, ShareKind, TravelMode};

/// What can be done to calendars, and to events beyond making and changing them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum CalendarCommand {
    /// Makes a calendar.
    AddCalendar {
        /// Its name; not blank.
        name: String,
    },
    /// Gives a calendar another name.
    RenameCalendar {
        /// Calendar id.
        calendar: String,
        /// New name; not blank.
        name: String,
    },
    /// Shows a calendar in another colour.
    SetColour {
        /// Calendar id; empty for the user's own one.
        calendar: String,
        /// The colour.
        colour: CalendarColour,
    },
    /// Deletes a calendar that holds no event.
    DeleteCalendar {
        /// Calendar id.
        calendar: String,
    },
    /// Lets people read the events of a calendar, now and later.
    ShareCalendar {
        /// Calendar id; empty for the user's own one.
        calendar: String,
        /// Contact names or free names; at least one.
        people: Vec<String>,
        /// What is written to them beside it.
        message: String,
    },
    /// Nobody reads a calendar from now on but the user; invitees still read their events.
    StopSharing {
        /// Calendar id; empty for the user's own one.
        calendar: String,
    },
    /// Shows an event to people as it is now.
    Share(NewShare),
    /// Takes back what was shown.
    Unshare {
        /// Share id.
        share: String,
    },
}

/// What can be done to lists and tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum TodoCommand {
    /// Makes a list.
    AddList {
        /// Its name; not blank.
        name: String,
    },
    /// Gives a list another name.
    RenameList {
        /// List id.
        list: String,
        /// New name; not blank.
        name: String,
    },
    /// Deletes a list with its tasks; it can be brought back until something else is deleted.
    DeleteList {
        /// List id.
        list: String,
    },
    /// Changes what a task says.
    EditTask {
        /// Task id.
        task: String,
        /// Its fields from now on.
        fields: TaskFields,
    },
    /// Keeps what is typed about a task, as its page does by itself. Typing takes no time, so the clock
    /// stands still.
    KeepTask {
        /// Task id.
        task: String,
        /// Its fields from now on.
        fields: TaskFields,
    },
    /// Moves a task by one place in its list.
    MoveTask {
        /// Task id.
        task: String,
        /// Towards the start; else towards the end.
        up: bool,
    },
    /// Deletes a task; it can be brought back until something else is deleted.
    DeleteTask {
        /// Task id.
        task: String,
    },
    /// Brings back what was deleted last.
    Undo,
    /// Lets people read a list, now and later.
    ShareList {
        /// List id.
        list: String,
        /// Contact names or free names; at least one.
        people: Vec<String>,
        /// Whether they may change it.
        can_edit: bool,
        /// Whether they see what is done, too.
        with_done: bool,
        /// What is written to them beside it.
        message: String,
    },
    /// Nobody reads a list from now on but the user.
    StopSharing {
        /// List id.
        list: String,
    },
    /// Says whether anybody who has the link of a list reads it.
    SetByLink {
        /// List id.
        list: String,
        /// Whether they do from now on.
        by_link: bool,
    },
    /// Adds a part to a task.
    AddSubtask {
        /// Task id.
        task: String,
        /// Its title; not blank.
        title: String,
    },
    /// Marks a part of a task as done or open.
    SetSubtaskDone {
        /// Subtask id.
        subtask: String,
        /// New state.
        done: bool,
    },
    /// Takes a part off a task.
    DeleteSubtask {
        /// Subtask id.
        subtask: String,
    },
    /// Says something about a task.
    AddComment {
        /// Task id.
        task: String,
        /// What; not blank.
        text: String,
    },
}

/// The fields of a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskFields {
    /// Title; not blank.
    pub title: String,
    /// Longer notes.
    pub notes: String,
    /// Due date.
    pub due: Option<Date>,
    /// Who is to do it; empty for nobody.
    pub assignee: String,
    /// How much it matters.
    #[serde(default)]
    pub priority: Priority,
    /// Words to find it by.
    #[serde(default)]
    pub labels: Vec<String>,
}

/// What can be done in the maps app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum MapsCommand {
    /// Remembers a search.
    Search {
        /// What was typed; not blank.
        query: String,
    },
    /// Forgets a recent search.
    ForgetSearch {
        /// Search id.
        search: String,
    },
    /// Forgets all recent searches.
    ForgetSearches,
    /// Changes a saved place.
    EditPlace {
        /// Place id.
        place: String,
        /// Name; not blank.
        name: String,
        /// Address.
        address: String,
        /// The user's own note.
        note: String,
        /// Ids of the lists it is on from now on.
        lists: Vec<String>,
    },
    /// Deletes a saved place.
    DeletePlace {
        /// Place id.
        place: String,
    },
    /// Makes a list of places.
    AddList {
        /// Its name; not blank.
        name: String,
    },
    /// Deletes a list; its places stay.
    DeleteList {
        /// List id.
        list: String,
    },
    /// Plans a route; distance and time come from the city's streets.
    PlanRoute {
        /// Where it starts.
        start: String,
        /// Stops on the way, in order; blank ones do not count.
        stops: Vec<NewStop>,
        /// Where it ends.
        destination: String,
        /// How it is travelled.
        mode: TravelMode,
    },
    /// Makes a route the one that is travelled now.
    StartRoute {
        /// Route id.
        route: String,
    },
    /// Nobody travels a route any more.
    EndRoute {
        /// Route id.
        route: String,
    },
    /// Deletes a route.
    DeleteRoute {
        /// Route id.
        route: String,
    },
    /// Shows something to people as it is now.
    Share(NewShare),
    /// Takes back what was shown.
    Unshare {
        /// Share id.
        share: String,
    },
    /// Brings back what was deleted last.
    Undo,
}

/// A stop of a route that is planned.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewStop {
    /// Name or address; may be blank.
    pub name: String,
    /// The user's own note; may be blank.
    pub note: String,
    /// How many minutes it takes.
    pub minutes: u32,
}

/// What is to be shown to whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewShare {
    /// What kind of thing.
    pub kind: ShareKind,
    /// Its id: a route's, a place's (saved or of the city), a list's; empty for cart and wish list.
    pub subject: String,
    /// Contact names or free names; at least one.
    pub people: Vec<String>,
    /// Numbers of the parts that are shown, from 0: the places of a route or list.
    pub parts: Vec<usize>,
    /// Whether a route's time and distance are shown.
    pub with_eta: bool,
    /// Whether the user's own notes are shown.
    pub with_notes: bool,
    /// What is written to them beside it.
    pub message: String,
}

/// What can be done in the code editor beyond saving.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum CodeCommand {
    /// Opens a tab and brings the file to the front. Tells nobody anything, so the clock stands still.
    OpenTab {
        /// File id.
        file: String,
    },
    /// Closes a tab. Likewise.
    CloseTab {
        /// Tab id.
        tab: String,
    },
    /// Pins a tab or takes that back. Likewise.
    PinTab {
        /// Tab id.
        tab: String,
        /// Whether it is pinned from now on.
        pinned: bool,
    },
    /// Keeps edited content without saving it.
    KeepUnsaved {
        /// File id.
        file: String,
        /// The content as it was edited.
        content: String,
    },
    /// Gives up edits that were not saved.
    Revert {
        /// File id.
        file: String,
    },
    /// Gives a file another path.
    Rename {
        /// File id.
        file: String,
        /// New path; not blank, not taken.
        path: String,
    },
    /// Makes a folder, which may stay empty.
    AddFolder {
        /// Its path; not blank, not there yet.
        path: String,
    },
    /// Deletes a folder that holds nothing.
    DeleteFolder {
        /// Its path.
        path: String,
    },
    /// Makes a copy of a file beside it, which nobody else reads.
    Duplicate {
        /// File id.
        file: String,
    },
    /// Deletes a file; it can be brought back until something else is deleted.
    Delete {
        /// File id.
        file: String,
    },
    /// Lets people read a file, now and later.
    Share {
        /// File id.
        file: String,
        /// Contact names or free names; at least one.
        people: Vec<String>,
        /// Whether they may change it.
        #[serde(default)]
        can_edit: bool,
        /// What is written to them beside it.
        message: String,
    },
    /// Nobody reads a file from now on but the user, and whoever reads its folder.
    StopSharing {
        /// File id.
        file: String,
    },
    /// Lets people read a folder with all that lies in it, now and later.
    ShareFolder {
        /// Its path.
        path: String,
        /// Contact names or free names; at least one.
        people: Vec<String>,
        /// Whether they may change it.
        #[serde(default)]
        can_edit: bool,
        /// What is written to them beside it.
        message: String,
    },
    /// Nobody reads a folder from now on but the user, and whoever reads one around it.
    StopSharingFolder {
        /// Its path.
        path: String,
    },
    /// Says something about a file.
    AddComment {
        /// File id.
        file: String,
        /// What; not blank.
        text: String,
    },
    /// Closes a tab whose file has edits that were not saved.
    CloseEdited {
        /// Tab id.
        tab: String,
        /// Whether they are saved before; else they are given up.
        save: bool,
    },
    /// Commits the saved content of files.
    Commit {
        /// File ids; at least one, each with changes.
        files: Vec<String>,
        /// What the commit says; not blank.
        message: String,
        /// To whom it is pushed; nobody for a commit that is kept.
        people: Vec<String>,
    },
    /// Brings back what was deleted or given up last.
    Undo,
}

/// What can be done in the shop beyond filling the cart and ordering.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum ShopCommand {
    /// Puts several of a product into the cart.
    AddSeveral {
        /// Product title.
        title: String,
        /// How many; at least one.
        quantity: u32,
        /// What was chosen of its options.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        chosen: Vec<Detail>,
    },
    /// Changes how many of a line are in the cart.
    SetQuantity {
        /// Line id.
        line: String,
        /// How many; at least one.
        quantity: u32,
    },
    /// Takes a line off the cart, the saved ones or the wish list.
    RemoveLine {
        /// Line id.
        line: String,
    },
    /// Says whether a line of the cart is ordered with the rest.
    SelectLine {
        /// Line id.
        line: String,
        /// Whether it is from now on.
        selected: bool,
    },
    /// Moves a line of the cart to what is saved for later.
    SaveForLater {
        /// Line id.
        line: String,
    },
    /// Moves a saved or wished line to the cart.
    MoveToCart {
        /// Line id.
        line: String,
    },
    /// Saves a product for later.
    SaveProduct {
        /// Product title.
        title: String,
    },
    /// Puts a product on the wish list.
    Wish {
        /// Product title.
        title: String,
    },
    /// Cancels an order. The seller has read it all the same.
    CancelOrder {
        /// Order id.
        order: String,
    },
    /// Puts what was ordered into the cart again.
    BuyAgain {
        /// Order id.
        order: String,
    },
    /// Puts an address into the address book.
    AddAddress {
        /// What it is called; may be blank.
        name: String,
        /// The address; not blank.
        text: String,
    },
    /// Takes an address out of the address book. Orders keep theirs.
    RemoveAddress {
        /// Address id.
        address: String,
    },
    /// Remembers a search for products.
    Search {
        /// What was typed; not blank.
        query: String,
    },
    /// Forgets a recent search.
    ForgetSearch {
        /// Search id.
        search: String,
    },
    /// Forgets all recent searches.
    ForgetSearches,
    /// Brings back the searches that were forgotten last.
    RestoreSearches,
    /// Shows the cart, the wish list or an order to people as it is now.
    Share(NewShare),
    /// Takes back what was shown.
    Unshare {
        /// Share id.
        share: String,
    },
    /// Reviews a product for everybody.
    Review {
        /// Product title.
        title: String,
        /// One to five.
        stars: u8,
        /// What the review says; not blank.
        text: String,
    },
    /// Brings back what was taken off last.
    Undo,
}

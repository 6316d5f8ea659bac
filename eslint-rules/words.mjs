/** Words and constructions that prose must not contain, each with its replacement. Patterns match without regard to case. */
export const refusedPhrases = [
  { pattern: /\bwho(?:m)?ever\b/, use: 'name the actor: "a client that …"' },
  { pattern: /\b(?:is|are|was|were|be) none\b/, use: '"does not exist", "is invalid", "is null"' },
  { pattern: /\btold\b/, use: '"returned", "notified", "distinguished"' },
  { pattern: /\bbeliev(?:e|es|ed|ing)\b/, use: '"trust"' },
  { pattern: /\blearnt\b/, use: '"read", "fetched"' },
  { pattern: /\bheard\b/, use: '"received"' },
  { pattern: /\bby heart\b/, use: '"in memory", "cached"' },
  { pattern: /\breckon(?:s|ed|ing)?\b/, use: '"calculate"' },
  { pattern: /\bpatience\b/, use: '"timeout"' },
  { pattern: /\bhouses?\b/, use: 'the name of the component' },
  { pattern: /\brooms?\b/, use: '"space", "capacity"' },
  { pattern: /\bdoors?\b/, use: '"listener"' },
  { pattern: /\bnews\b/, use: '"change", "notification"' },
  { pattern: /\bnoughts?\b/, use: '"zero"' },
  { pattern: /\bfarewells?\b/, use: '"shutdown"' },
  { pattern: /\boutliv(?:e|es|ed|ing)\b/, use: '"continues after", "expires after"' },
  { pattern: /\bannounc(?:e|es|ed|ing|ements?)\b/, use: '"notify", "notification"' },
  { pattern: /\bof (?:its|their|our|your|his|her|one's) own\b/, use: '"separate", "dedicated"' },
  {
    pattern: /(?<!\b(?:some|any|every|no)(?:thing|one|body|where) |\bno one )\belse\b/,
    use: '"otherwise" in a sentence that says what happens',
  },
];

/** Constructions that are refused at the start of a sentence. Questions are exempt. */
export const refusedStarts = [{ pattern: /^what\b/, use: 'the noun: "The link that …"' }];

/** Words that begin no sentence of the API description, in addition to `refusedStarts`, because fragments must be read twice. */
export const refusedDescriptionStarts = [
  {
    pattern: /^(?:who|whose|where|when|how|why|also|and)\b/,
    use: 'a noun phrase, or a sentence that begins with its subject',
  },
];

/** Private names, each with the standard term. They are refused in declarations and in prose. */
export const refusedNames = [
  { pattern: /^(?:most|longest)(?!Recent)(?:[A-Z]\w*)?$/, use: 'max…' },
  { pattern: /^FrugalPool$/, use: 'AdaptivePool' },
  { pattern: /^AnnouncedCache$/, use: 'NotifyInvalidatedCache' },
  { pattern: /^Announcements$/, use: 'ChangeListener' },
  { pattern: /^heard$/, use: 'notificationCount' },
  { pattern: /^provenUntil$/, use: 'heartbeatValidUntil' },
  { pattern: /^CallerMemory$/, use: 'CredentialCache' },
  { pattern: /^respite$/, use: 'retryAfterMs' },
  { pattern: /^endTogether$/, use: 'flushResponses' },
  { pattern: /^asVisitedLink$/, use: 'toLinkReadModel' },
  { pattern: /^asFoundOut$/, use: 'resolveIpad' },
  { pattern: /^(?:Fixed|Shared)Windows$/, use: 'InMemoryRateLimitStorage, RedisRateLimitStorage' },
  { pattern: /^changeExpected$/, use: 'updateIfUnchanged' },
  { pattern: /^CustomHosts$/, use: 'VerifiedDomainIndex' },
  { pattern: /^CertificateQuestions$/, use: 'TlsAskHandler' },
  { pattern: /^ReadInput$/, use: 'ValidationPipe' },
  { pattern: /^ReceiveBody$/, use: 'BodyParserGuard' },
  { pattern: /^admitOneMore$/, use: 'reserve' },
  { pattern: /^HeldSubdomains$/, use: 'SubdomainReservations' },
  { pattern: /^patience$/, use: 'timeoutMs' },
  { pattern: /^promptness$/, use: 'purgeWaitMs' },
  { pattern: /^farewell$/, use: 'shutdownTimeoutMs' },
  { pattern: /^outlives$/, use: 'staleTtlMs' },
  { pattern: /^(?:believed|learnt|told|news|noughts|house|room|door)$/, use: 'a standard term' },
];

/** Participles that name no variable or parameter. Fields of the API may have such names. */
export const refusedParticiples = /^(?:given|found|kept|wanted)$/;

/** Verbs that may begin the doc comment of a function, a method or a class. */
export const verbs = new Set(
  `Accepts Acquires Activates Adapts Adds Aggregates Allows Answers Appends Applies Asks Assembles Asserts Assigns Attaches Authenticates Authorizes
  Batches Begins Binds Blocks Buffers Builds Bypasses Caches Calculates Calls Cancels Captures Carries Catches Changes Checks
  Chooses Claims Classifies Cleans Clears Clones Closes Collects Combines Commits Compares Compiles Completes Composes
  Computes Configures Connects Consumes Contains Continues Converts Copies Counts Creates Cuts Deactivates Decides Declares Decodes
  Decorates Defines Delays Delegates Deletes Delivers Derives Describes Destroys Detects Determines Disables Discards
  Disconnects Dispatches Distinguishes Documents Does Downloads Drains Draws Drops Emits Empties Enables Encodes Encrypts Ends Enforces
  Ensures Escapes Estimates Evaluates Evicts Examines Executes Exempts Expands Expects Expires Explains Exports Exposes Extends Extracts Fails
  Fetches Fills Filters Finds Finishes Flushes Follows Forgets Formats Forwards Frees Generates Gets Gives Grants Groups
  Guards Handles Hands Hashes Hides Holds Identifies Ignores Implements Imports Includes Increments Indexes Initializes Inserts
  Inspects Installs Instruments Invalidates Invokes Issues Iterates Joins Keeps Kills Launches Lays Leaves Lets Limits Lists Listens Loads Locates
  Locks Logs Looks Lowers Maintains Makes Maps Marks Masks Matches Measures Merges Migrates Mounts Moves Names Narrows Needs
  Normalizes Notes Notifies Numbers Observes Omits Opens Orders Overrides Owns Paces Packs Parses Partitions Passes
  Pauses Percent-encodes Performs Persists Picks Pings Plans Polls Prefers Prepares Prevents Prints Probes Processes Produces Protects Provides
  Proves Provisions Publishes Purges Puts Queries Queues Quotes Raises Reads Rebuilds Receives Recognises Reconnects Records Recovers
  Redacts Redirects Reduces Refreshes Refuses Registers Rejects Releases Reloads Removes Renders Renews Replaces Reports
  Represents Requests Requires Reserves Resets Resolves Responds Restarts Restores Restricts Retires Retries Returns Reuses Revokes
  Rolls Rotates Rounds Routes Runs Samples Saves Scales Schedules Searches Selects Sends Separates Serializes Serves Sets
  Shares Shows Shuts Signals Signs Skips Sleeps Sorts Splits Starts States Stops Stores Streams Strips Subscribes Sums
  Supervises Suspends Switches Takes Tells Terminates Tests Throws Tracks Transforms Translates Traverses Tries Trims
  Truncates Turns Undoes Unlocks Updates Upgrades Uploads Uses Validates Verifies Waits Walks Warms Warns Watches Wraps
  Writes`
    .split(/\s+/)
    .filter(Boolean),
);

/** Moves the entries of new links into the indexes of searches. Until then they wait in a list of each index, which each search reads. */
export abstract class NewSearchEntries {
  /** Moves all of them, unless another process does. An insertion that fills the list moves them itself, and waits. */
  abstract move(): Promise<void>;
}

/** What every page of a link shows. */
export interface Card {
  title: string;
  description: string | null;
  imageUrl: string | null;
}

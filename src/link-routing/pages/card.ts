/** The content that all pages of a link share. */
export interface Card {
  title: string;
  description: string | null;
  imageUrl: string | null;
}

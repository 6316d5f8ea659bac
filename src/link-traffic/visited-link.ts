/** What link traffic knows of a link: as stored, so nothing in it is believed before it is served. */
export interface VisitedLink {
  id: string;
  name: string;
  desktopUrl: string | null;
  iosFallbackUrl: string | null;
  androidFallbackUrl: string | null;
  socialTitle: string | null;
  socialDescription: string | null;
  referrerParams: readonly (readonly [string, string])[] | null;
}

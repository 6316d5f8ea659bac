import { webUrl } from '../../components/web-address';

/** The path of an uploaded picture. */
const path = /^\/_pictures\/[\w-]{43}\.jpg$/;

/**
 * Returns whether an address is that of an uploaded picture, which the page may load.
 * @param origins the link hosts, such as `https://*.example.com`
 */
export function isUploadedPicture(address: string, origins: string): boolean {
  const [begin = '', end] = origins.split('*');
  const url = webUrl(address);
  if (end === undefined || url === null) return false;
  const { origin, pathname } = url;
  return origin.startsWith(begin) && origin.endsWith(end) && path.test(pathname);
}

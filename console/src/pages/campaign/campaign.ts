import type { NewLinkBody } from '../link/link-values';
import { webAddress } from '../../components/web-address';

/** One link of a campaign: a channel, a poster or a partner. An empty value is that of the campaign. */
export interface CampaignRow {
  channel: string;
  utm_source: string;
  utm_medium: string;
  utm_content: string;
  custom_path: string;
}

export const columns = ['channel', 'utm_source', 'utm_medium', 'utm_content', 'custom_path'] as const;
type Column = (typeof columns)[number];

export interface Campaign {
  name: string;
  desktop_url: string;
  utm_campaign: string;
  utm_source: string;
  utm_medium: string;
  utm_term: string;
  rows: CampaignRow[];
}

export const maxRows = 200;

export const emptyRow: CampaignRow = { channel: '', utm_source: '', utm_medium: '', utm_content: '', custom_path: '' };

export const isEmptyRow = (row: CampaignRow): boolean => columns.every((column) => row[column].trim() === '');

/** Returns a value as campaigns write them: small letters, digits and hyphens. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** Returns a link for each row that is not empty. The tag holds the links of a campaign together in lists and statistics. */
export function linksOf({ rows, ...campaign }: Campaign): NewLinkBody[] {
  const name = campaign.name.trim();
  return rows
    .filter((row) => !isEmptyRow(row))
    .map((row) => {
      const channel = row.channel.trim();
      const parameters = {
        utm_source: row.utm_source.trim() || campaign.utm_source.trim() || slugOf(channel),
        utm_medium: row.utm_medium.trim() || campaign.utm_medium.trim(),
        utm_campaign: campaign.utm_campaign.trim() || slugOf(name),
        utm_term: campaign.utm_term.trim(),
        utm_content: row.utm_content.trim() || slugOf(channel),
      };
      const path = row.custom_path.trim();
      return {
        name: channel === '' ? name : `${name}: ${channel}`,
        desktop_url: webAddress(campaign.desktop_url),
        referrer_params: Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== '')),
        tags: [name.slice(0, 50)],
        ...(path !== '' && { custom_path: path }),
      };
    });
}

/** Puts the cells of a spreadsheet into the rows, from one cell on. Returns null if the text is a single cell. */
export function pasted(rows: readonly CampaignRow[], at: number, from: Column, text: string): CampaignRow[] | null {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const cells = lines.map((line) => line.split('\t'));
  if (cells.length === 1 && cells[0]!.length === 1) return null;
  const first = columns.indexOf(from);
  const next = rows.map((row) => ({ ...row }));
  for (const [offset, line] of cells.entries()) {
    const row = (next[at + offset] ??= { ...emptyRow });
    for (const [place, cell] of line.entries()) {
      const column = columns[first + place];
      if (column) row[column] = cell.trim();
    }
  }
  return next.slice(0, maxRows);
}

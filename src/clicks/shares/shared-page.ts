import { markup, Markup } from '../../shared/markup';
import type { Group, Sums } from '../statistics/statistics';
import { type SharedPageLanguage, type SharedPageTexts, sharedPageTexts } from './shared-page-texts';
import { sharedPageStyle } from './shared-page-style';
import {
  type SharedPeriod,
  sharedPeriods,
  type SharedStatistics,
  type ShownGrouping,
} from './shared-statistics.service';
import type { Share } from './share';

/** Rows of a breakdown. Further groups are summed. */
const maxRows = 10;

/** A page in one language, under one `Content-Security-Policy`. */
export class SharedPage {
  readonly #texts: SharedPageTexts;
  readonly #number: Intl.NumberFormat;

  constructor(
    private readonly language: SharedPageLanguage,
    private readonly nonce: string,
  ) {
    this.#texts = sharedPageTexts[language];
    this.#number = new Intl.NumberFormat(language);
  }

  /** Renders a page without statistics. */
  message(kind: 'gone' | 'busy'): string {
    const { [`${kind}Title` as const]: title, [kind]: text } = this.#texts;
    return this.#document(title, markup`<section class="card message"><h1>${title}</h1><p>${text}</p></section>`);
  }

  password(isWrong: boolean): string {
    const { passwordTitle, passwordText, password, enter, wrong } = this.#texts;
    return this.#document(
      passwordTitle,
      markup`<section class="card message"><h1>${passwordTitle}</h1><p>${passwordText}</p><form method="post">
        ${isWrong ? markup`<p class="fault" role="alert">${wrong}</p>` : null}
        <label>${password}<input type="password" name="password" autocomplete="current-password" maxlength="200" required autofocus></label>
        <button type="submit">${enter}</button></form></section>`,
    );
  }

  statistics(share: Share, read: SharedStatistics): string {
    const texts = this.#texts;
    const { window, coveredFrom, statistics } = read.counted;
    const { totals } = statistics;
    const zone = read.zone.name;
    return this.#document(
      share.name,
      markup`<h1>${share.name}</h1>${this.#periods(read.period)}
        <dl class="totals">${this.#total(texts.clicks, totals.clicks)}${this.#total(texts.qrScans, totals.qrScans)}</dl>
        ${coveredFrom > window.from ? markup`<p class="quiet">${texts.keptFrom(this.#day(coveredFrom, zone))}</p>` : null}
        ${totals.clicks === 0 ? markup`<section class="card"><p>${texts.noClicks}</p></section>` : this.#content(read)}
        <p class="quiet">${texts.note(zone, this.#moment(share.expiresAt, zone))}</p>`,
    );
  }

  #content(read: SharedStatistics): Markup {
    return markup`${this.#chart(read)}<div class="columns">${read.breakdowns.map((each) => this.#breakdown(each))}</div>`;
  }

  #periods(current: SharedPeriod): Markup {
    const link = (period: SharedPeriod): Markup => {
      const state = new Markup(period === current ? ' aria-current="page"' : '');
      return markup`<a href="?period=${String(period)}"${state}>${this.#texts.days(String(period))}</a>`;
    };
    return markup`<nav aria-label="${this.#texts.period}">${sharedPeriods.map(link)}</nav>`;
  }

  #total(name: string, value: number): Markup {
    return markup`<div class="card"><dt>${name}</dt><dd>${this.#number.format(value)}</dd></div>`;
  }

  #chart({ interval, zone: { name: zone }, counted }: SharedStatistics): Markup {
    const { starts } = counted.window;
    const { series } = counted.statistics;
    const title = interval === 'day' ? this.#texts.perDay : this.#texts.perWeek;
    const highest = Math.max(1, ...series.map(({ clicks }) => clicks));
    const width = 1000 / series.length;
    const bar = ({ clicks }: Sums, at: number): Markup => {
      const height = (clicks / highest) * 196;
      const place = `x="${px(at * width + width * 0.1)}" y="${px(200 - height)}" width="${px(width * 0.8)}" height="${px(height)}"`;
      const label = `${this.#day(starts[at]!, zone)}: ${this.#number.format(clicks)}`;
      return markup`<rect ${new Markup(place)}><title>${label}</title></rect>`;
    };
    const row = ({ clicks }: Sums, at: number): Markup =>
      markup`<tr><th scope="row">${this.#day(starts[at]!, zone)}</th><td>${this.#number.format(clicks)}</td></tr>`;
    return markup`<section class="card"><h2>${title}</h2><p class="quiet">${this.#number.format(highest)}</p>
      <svg class="chart" viewBox="0 0 1000 200" preserveAspectRatio="none" role="img" aria-label="${title}">
      <line x1="0" y1="4" x2="1000" y2="4"/><line x1="0" y1="102" x2="1000" y2="102"/>${series.map(bar)}</svg>
      <p class="ends quiet"><span>${this.#day(starts[0]!, zone)}</span><span>${this.#day(starts.at(-1)!, zone)}</span></p>
      <details><summary>${this.#texts.numbers}</summary><table><thead><tr><th scope="col">${this.#texts.begins}</th>
      <th scope="col">${this.#texts.clicks}</th></tr></thead><tbody>${series.map(row)}</tbody></table></details></section>`;
  }

  #breakdown({ by, groups, other }: SharedStatistics['breakdowns'][number]): Markup {
    const shown = groups.slice(0, maxRows);
    const rest = groups.slice(maxRows).reduce((sum, { clicks }) => sum + clicks, other.clicks);
    const highest = Math.max(1, rest, ...shown.map(({ clicks }) => clicks));
    const row = (name: string, path: string | null, clicks: number): Markup => {
      const length = px((clicks / highest) * 100);
      return markup`<li><div class="row"><span>${name}${path === null ? null : markup`<span class="path">/${path}</span>`}</span>
        <span>${this.#number.format(clicks)}</span></div>
        <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${length}" height="1"/></svg></li>`;
    };
    return markup`<section class="card"><h2>${this.#texts[by]}</h2><ol>
      ${shown.map((group) => row(this.#nameOf(by, group), group.path, group.clicks))}
      ${rest > 0 ? row(this.#texts.others, null, rest) : null}</ol></section>`;
  }

  #nameOf(by: ShownGrouping, { value, name }: Group): string {
    if (by === 'link') return name ?? this.#texts.none.link;
    if (value === null || value === '') return this.#texts.none[by];
    if (by === 'country') return countryName(this.language, value);
    if (by === 'platform') return { ios: 'iOS', android: 'Android', desktop: this.#texts.desktop }[value] ?? value;
    return value;
  }

  #day(moment: number, timeZone: string): string {
    return new Intl.DateTimeFormat(this.language, { dateStyle: 'medium', timeZone }).format(moment);
  }

  #moment(moment: Date, timeZone: string): string {
    return new Intl.DateTimeFormat(this.language, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(moment);
  }

  #document(title: string, content: Markup): string {
    return markup`<!doctype html><html lang="${this.language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex, nofollow">
<title>${title}</title><style nonce="${this.nonce}">${new Markup(sharedPageStyle)}</style></head><body><main>${content}</main></body></html>`
      .text;
  }
}

const px = (length: number): string => length.toFixed(2);

/** Returns the name of a country. Some proxies state other codes, such as `T1` for Tor. */
function countryName(language: SharedPageLanguage, code: string): string {
  try {
    return new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}

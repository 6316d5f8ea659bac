import type { IncomingMessage } from 'node:http';
import { BrowserEscapes } from '../../../src/link-routing/escapes/escape-choice';
import { visitorOf } from '../../../src/link-routing/visitor/visitor';
import { MeasuredEscapes } from '../../../src/link-traffic/recording/measured-escapes';
import { iPhone } from '../deferred-links/claim-link';

const userAgent = `${iPhone} Instagram 445.0.0.1.1 (iPhone14,5; iOS 17_5; en_US)`;
const request = { method: 'GET', headers: { 'user-agent': userAgent } } as IncomingMessage;

test.each([1, 20, 100])('%d processes with few visitors each offer the other way as often as one', (processes) => {
  const escapes = new BrowserEscapes();
  const ways = ['a', 'b'];
  escapes.table = {
    ways: { a: 'a:{url}', b: 'b:{url}' },
    rows: ways.map((way) => ({ app: 'Instagram', platform: 'ios', way })),
  };
  const offers = { a: 0, b: 0 };
  let network = 0;
  const addresses = { networkOf: () => String(network++) };
  const visitorsPerProcess = 400 / processes;
  for (let process = 0; process < processes; process++) {
    const counter = { count: ({ way }: { way: string }) => void offers[way as 'a' | 'b']++ };
    const measured = new MeasuredEscapes(escapes, counter, addresses, { now: () => 0 });
    for (let visitor = 0; visitor < visitorsPerProcess; visitor++)
      measured.offer(visitorOf({ userAgent, clientHint: undefined }), true, request);
    // The next process reads the counts of all before it.
    escapes.counted = ways.map((way) => {
      const browser = { app: 'Instagram', platform: 'ios' as const, version: 445, system: 17 };
      const shown = offers[way as 'a' | 'b'];
      return { ...browser, way, offers: shown, arrivals: shown / 5, sinceArrival: 0 };
    });
  }
  expect(offers.a + offers.b).toBe(400);
  expect(offers.b).toBeGreaterThanOrEqual(40);
});

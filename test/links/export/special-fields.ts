import { textExamples } from '../../contracts/fields';

/** Each field but the apps, with values that are special in CSV and JSON. */
export const specialFields = {
  ...textExamples,
  name: '=HYPERLINK("http://evil.example")',
  custom_path: 'summer/sale',
  desktop_url: 'https://shop.example.com/?a=1,2;3',
  ios_fallback_url: 'https://shop.example.com/ios',
  android_fallback_url: 'https://shop.example.com/android',
  ios_deferred_deep_link: true,
  social_title: 'Sale',
  social_description: 'First line\nsecond "line"; third\r\n\tand more',
  social_image_url: 'https://shop.example.com/a.png',
  referrer_params: { utm_source: 'news, letter', utm_term: '=x' },
  app_data: { screen: '=sale', product: { id: 42 } },
  query_forwarding: 'listed',
  forwarded_params: ['utm_source', 'a, b'],
  variants: [
    { name: 'Old page', url: 'https://shop.example.com/a', weight: 90 },
    { name: 'Neu, "B"', url: 'https://shop.example.com/b?x=1', weight: 0 },
  ],
  rules: [
    {
      when: { query: { '=ref': null }, countries: ['DE'] },
      then: { url: 'https://shop.example.com/a,b', params: { z: '1', a: '2' } },
    },
    { when: {}, then: { app: true } },
  ],
  template: '=Mails, "A"',
  active_from: '2026-01-01T00:00:00.000Z',
  active_until: '2036-01-31T23:00:00.123Z',
  expired_url: 'https://shop.example.com/ended',
  click_limit: 3,
  external_id: '-4711',
  title: "'Tis summer ☀️",
  notes: '\t@SUM(A1)',
  archived: true,
  disabled: true,
  conversions: true,
  tags: ['Sommer, spät', '+plus', 'the "best"'],
};

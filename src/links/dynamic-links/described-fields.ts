/** The description and the example of each field, which are the same in bodies and answers. */
export const described = {
  name: { description: 'Internal display name.', example: 'Summer sale' },
  custom_path: {
    description:
      "Path under the project's host, case-sensitive. It is unique among the custom paths and slugs of the project. " +
      '`robots.txt`, `favicon.ico` and `apple-app-site-association` are reserved.',
    example: 'summer/sale',
  },
  desktop_url: {
    description:
      'Destination for desktop users, and for other users if no better destination is set. An http or https URL, or one with a scheme of ' +
      '`allowed_schemes` of the project.',
    example: 'https://shop.example.com/sale',
  },
  ios_app_id: {
    description: 'Id of a registered iOS app of the same project.',
    example: '0198c0de-7e57-7000-8000-0000000000b1',
  },
  android_app_id: {
    description: 'Id of a registered Android app of the same project.',
    example: '0198c0de-7e57-7000-8000-0000000000b2',
  },
  ios_fallback_url: {
    description: 'Destination for iOS users who do not have the app, like `desktop_url`.',
    example: 'https://shop.example.com/ios',
  },
  android_fallback_url: {
    description: 'Destination for Android users who do not have the app, like `desktop_url`.',
    example: 'https://shop.example.com/android',
  },
  ios_deferred_deep_link: {
    description:
      'Whether iOS users see the page "Get the app", so that the app can open this link after its installation. ' +
      'The Pro plan or a higher plan is required.',
    example: false,
  },
  social_title: { description: 'Open Graph title.', example: 'Summer sale' },
  social_description: { description: 'Open Graph description.', example: 'Everything must go.' },
  social_image_url: { description: 'URL of the Open Graph image.', example: 'https://shop.example.com/sale.png' },
  referrer_params: {
    description:
      'Query parameters added to the destination, for attribution. At most 50 parameters; keys have 1 to 100 characters.',
    example: { utm_source: 'newsletter' },
  },
  query_forwarding: {
    description:
      "Which of the visitor's parameters destinations get: `all`, `none`, or those that `forwarded_params` lists. Null: as the project says.",
    example: 'none',
  },
  forwarded_params: {
    description:
      'Names of parameters that destinations get if `query_forwarding` of the link is `listed`. Letter case counts.',
    example: ['utm_source'],
  },
  external_id: {
    description: 'Id of the link in your system, unique in the project and case-sensitive.',
    example: 'crm-4711',
  },
  title: {
    description: 'Title for people. Pages of the service show it if the link has no `social_title`.',
    example: 'Summer sale in our shops',
  },
  notes: { description: 'Notes for your team, which visitors never see.', example: 'Printed on the flyers of June.' },
  archived: {
    description: 'Whether lists hide the link unless they are asked for archived links. It keeps working.',
    example: false,
  },
  disabled: {
    description: 'Whether visitors get a page with the status 410 instead of the destination.',
    example: false,
  },
  tags: {
    description:
      'Names of tags, at most 20. Letter case does not distinguish them. A name that the project does not have becomes a new tag; ' +
      'one that it has is shown in its spelling.',
    example: ['Newsletter', 'Summer'],
  },
};

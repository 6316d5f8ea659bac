/** Descriptions of the fields that iOS and Android apps share. */
export const describedAppFields = {
  paths: {
    description:
      'Paths whose links open the app: each begins with a slash and may end with `*`, such as `/shop/*`. Null derives them: ' +
      'a link opens the app that it names, and no other app of its platform in the project. A link that names no app of ' +
      'the platform may open any app whose paths are null. An empty list opens no link. Android versions before 15 ' +
      'ignore it.',
    example: ['/shop/*'],
  },
};

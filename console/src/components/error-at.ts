/** Returns the message at a field, or at an element of its list, because the service names an element by its place. */
export const errorAt = <Message>(errors: Record<string, Message>, field: string): Message | undefined =>
  errors[field] ?? Object.entries(errors).find(([path]) => path.startsWith(`${field}.`))?.[1];

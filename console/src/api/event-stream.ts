interface StreamEvent {
  id?: string | undefined;
  /** Empty for an id without an event. */
  name: string;
  data: string;
}

/**
 * An event with one line of data, an id, or both. JSON may contain U+2028 and U+2029, which end no line of a stream.
 */
const eventPattern = /^(?:id: (\d+)(?:\n|$))?(?:event: ([\w.]+)\ndata: (.*))?$/s;

/** Reads events as the service writes them. Comments, which keep the connection open, are left out. */
export async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const blocks = (rest + decoder.decode(read.value, { stream: true })).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const [, id, name = '', data = ''] = eventPattern.exec(block) ?? [];
      if (id !== undefined || name !== '') yield { id, name, data };
    }
  }
}

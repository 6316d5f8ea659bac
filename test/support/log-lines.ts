import { parseSync } from 'rolldown/utils';
import { filesBelow, readPage } from './pages';

export interface LogLine {
  /** Null for a message in words, which varies. */
  message: string | null;
  level: string;
  fields: string[];
}

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'];

/** Finds the log lines that the service writes. @throws Error if the fields of a line cannot be determined */
export const logLines = (): LogLine[] => filesBelow('src', '.ts').flatMap((path) => new LogCalls(path).lines());

/** A node of ESTree, with the properties that are read here. */
interface Node {
  type: string;
  start: number;
  end: number;
  arguments: Node[];
  callee: Node;
  id: Node;
  init: Node | null;
  key: Node;
  object: Node;
  property: Node;
  computed: boolean;
  properties: Node[];
  argument: Node;
  value: Node | string;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const isText = (node: Node): node is Node & { value: string } =>
  node.type === 'Literal' && typeof node.value === 'string';

/** Reads the calls of the logger in one file. */
class LogCalls {
  readonly #source: string;
  readonly #calls: Node[] = [];
  readonly #objects = new Map<string, Node>();

  constructor(private readonly path: string) {
    this.#source = readPage(path);
    this.#visit(parseSync(path, this.#source).program);
  }

  lines(): LogLine[] {
    return this.#calls.flatMap((call) => {
      const level = this.#levelOf(call.callee);
      return level === null ? [] : this.#linesOf(level, call.arguments);
    });
  }

  #visit(value: unknown): void {
    if (Array.isArray(value)) return value.forEach((one) => this.#visit(one));
    if (!isNode(value)) return;
    if (value.type === 'CallExpression') this.#calls.push(value);
    if (value.type === 'VariableDeclarator' && value.init?.type === 'ObjectExpression')
      this.#objects.set(this.#textOf(value.id), value.init);
    Object.values(value).forEach((part) => this.#visit(part));
  }

  #textOf(node: Node): string {
    return this.#source.slice(node.start, node.end);
  }

  /** Returns null if the function is no method of a logger. */
  #levelOf(callee: Node): string | null {
    if (callee.type !== 'MemberExpression') return null;
    if (!/(?:^|\.)(?:log|logger)$/.test(this.#textOf(callee.object))) return null;
    // The only level that is not constant.
    if (callee.computed) return 'VISIT_LOG_LEVEL';
    const level = this.#textOf(callee.property);
    return levels.includes(level) ? level : null;
  }

  #linesOf(level: string, [first, second]: Node[]): LogLine[] {
    if (!first) throw new Error(`${this.path}: a log line without arguments`);
    if (first.type === 'ObjectExpression') return this.#withFields(level, this.#namesIn(first), second);
    if (first.type === 'Identifier' && second) return this.#withFields(level, this.#namesIn(this.#written()), second);
    // `Log` adds the fields to messages in words, and that call is found too.
    return isText(first) ? this.#withFields(level, [], first) : [];
  }

  #withFields(level: string, fields: string[], message: Node | undefined): LogLine[] {
    return this.#messagesOf(message).map((text) => ({ message: text, level, fields }));
  }

  #messagesOf(message: Node | undefined): (string | null)[] {
    if (message && isText(message)) return [message.value];
    if (message?.type === 'MemberExpression' && message.computed)
      return this.#object(message.object).properties.map((property) => {
        if (isNode(property.value) && isText(property.value)) return property.value.value;
        throw new Error(`${this.path}: a message is no text: ${this.#textOf(property)}`);
      });
    return [null];
  }

  /** Returns the only object that the file passes to a function `write`, for a line that a closure writes. */
  #written(): Node {
    const written = this.#calls.flatMap(({ callee, arguments: [first] }) =>
      this.#textOf(callee).endsWith('.write') && first?.type === 'ObjectExpression' ? [first] : [],
    );
    if (written.length !== 1) throw new Error(`${this.path}: ${written.length} objects are written`);
    return written[0]!;
  }

  #namesIn(object: Node): string[] {
    return object.properties.flatMap((property) => {
      if (property.type === 'SpreadElement') return this.#namesIn(this.#object(property.argument));
      return [this.#textOf(property.key)];
    });
  }

  #object(expression: Node): Node {
    const object = this.#objects.get(this.#textOf(expression));
    if (!object) throw new Error(`${this.path}: ${this.#textOf(expression)} must be an object that the file declares`);
    return object;
  }
}

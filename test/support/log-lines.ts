import ts from 'typescript';
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

/** Reads the calls of the logger in one file. */
class LogCalls {
  readonly #file: ts.SourceFile;
  readonly #calls: ts.CallExpression[] = [];
  readonly #objects = new Map<string, ts.ObjectLiteralExpression>();

  constructor(private readonly path: string) {
    this.#file = ts.createSourceFile(path, readPage(path), ts.ScriptTarget.Latest, true);
    this.#visit(this.#file);
  }

  lines(): LogLine[] {
    return this.#calls.flatMap((call) => {
      const level = this.#levelOf(call.expression);
      return level === null ? [] : this.#linesOf(level, [...call.arguments]);
    });
  }

  #visit(node: ts.Node): void {
    if (ts.isCallExpression(node)) this.#calls.push(node);
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isObjectLiteralExpression(node.initializer))
      this.#objects.set(node.name.getText(), node.initializer);
    ts.forEachChild(node, (child) => this.#visit(child));
  }

  /** Returns null if the function is no method of a logger. */
  #levelOf(callee: ts.Expression): string | null {
    if (!ts.isPropertyAccessExpression(callee) && !ts.isElementAccessExpression(callee)) return null;
    if (!/(?:^|\.)(?:log|logger)$/.test(callee.expression.getText())) return null;
    // The only level that is not constant.
    if (ts.isElementAccessExpression(callee)) return 'VISIT_LOG_LEVEL';
    return levels.includes(callee.name.text) ? callee.name.text : null;
  }

  #linesOf(level: string, [first, second]: ts.Expression[]): LogLine[] {
    if (!first) throw new Error(`${this.path}: a log line without arguments`);
    if (ts.isObjectLiteralExpression(first)) return this.#withFields(level, this.#namesIn(first), second);
    if (ts.isIdentifier(first) && second) return this.#withFields(level, this.#namesIn(this.#written()), second);
    // `Log` adds the fields to messages in words, and that call is found too.
    return ts.isStringLiteral(first) ? this.#withFields(level, [], first) : [];
  }

  #withFields(level: string, fields: string[], message: ts.Expression | undefined): LogLine[] {
    return this.#messagesOf(message).map((text) => ({ message: text, level, fields }));
  }

  #messagesOf(message: ts.Expression | undefined): (string | null)[] {
    if (message && ts.isStringLiteral(message)) return [message.text];
    if (message && ts.isElementAccessExpression(message))
      return this.#object(message.expression).properties.map((property) => {
        if (ts.isPropertyAssignment(property) && ts.isStringLiteral(property.initializer))
          return property.initializer.text;
        throw new Error(`${this.path}: a message is no text: ${property.getText()}`);
      });
    return [null];
  }

  /** Returns the only object that the file passes to a function `write`, for a line that a closure writes. */
  #written(): ts.ObjectLiteralExpression {
    const written = this.#calls.flatMap(({ expression, arguments: [first] }) =>
      expression.getText().endsWith('.write') && first && ts.isObjectLiteralExpression(first) ? [first] : [],
    );
    if (written.length !== 1) throw new Error(`${this.path}: ${written.length} objects are written`);
    return written[0]!;
  }

  #namesIn(object: ts.ObjectLiteralExpression): string[] {
    return object.properties.flatMap((property) => {
      if (ts.isSpreadAssignment(property)) return this.#namesIn(this.#object(property.expression));
      return [property.name.getText()];
    });
  }

  #object(expression: ts.Expression): ts.ObjectLiteralExpression {
    const object = this.#objects.get(expression.getText());
    if (!object) throw new Error(`${this.path}: ${expression.getText()} is no object of this file`);
    return object;
  }
}

import { descriptionFaultsIn, faultsIn, standardName, wordFaultsIn } from './prose.mjs';
import { refusedParticiples, verbs } from './words.mjs';

/** Directives and references for tools. */
const forTools = /^\s*(?:eslint|@ts-|ox(?:fmt|lint)-|c8 |istanbul |<reference|#|global |Stryker )/;

/** Joins line comments on consecutive lines, because a sentence continues on the next line. */
function* blocksOf(comments) {
  let block = null;
  for (const comment of comments) {
    if (forTools.test(comment.value)) continue;
    if (comment.type !== 'Line') {
      yield { loc: comment.loc, text: comment.value };
      continue;
    }
    const { start, end } = comment.loc;
    if (block && block.loc.end.line === start.line - 1 && block.column === start.column) {
      block.text += `\n${comment.value}`;
      block.loc = { start: block.loc.start, end };
    } else {
      if (block) yield block;
      block = { loc: comment.loc, column: start.column, text: comment.value };
    }
  }
  if (block) yield block;
}

/** Splits at empty lines, list items, JSDoc tags and drawings. */
const paragraphsOf = (text) =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, ''))
    .join('\n')
    .replace(/```[\s\S]*?```/g, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*|] |\d+\. |@))/)
    .map((paragraph) => paragraph.replace(/^\s*@(?:param|returns?|throws)(?:\s+[\w.]+)?/, '').trim())
    .filter((paragraph) => !/^[@|]/.test(paragraph));

const plainComments = {
  create: (context) => ({
    Program() {
      for (const { loc, text } of blocksOf(context.sourceCode.getAllComments()))
        for (const message of paragraphsOf(text).flatMap(faultsIn)) context.report({ loc, message });
    },
  }),
};

/** Returns the text of a literal or a template, with a word in each place of a value; null if it is no text. */
function textOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join('`value`');
  if (node?.type === 'BinaryExpression' && node.operator === '+') {
    const parts = [textOf(node.left), textOf(node.right)];
    return parts.every((part) => part === null) ? null : parts.map((part) => part ?? '`value`').join('');
  }
  if (node?.type === 'ConditionalExpression')
    return [textOf(node.consequent), textOf(node.alternate)].filter((text) => text !== null).join('\n\n') || null;
  return null;
}

const rootOf = (callee) => {
  if (callee.type === 'CallExpression') return rootOf(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return rootOf(callee.tag);
  if (callee.type === 'MemberExpression') return rootOf(callee.object);
  return callee;
};

const testFunctions = new Set(['test', 'it', 'describe']);
const logMethods = new Set(['debug', 'info', 'warn', 'error', 'fatal', 'log']);

/** Returns whether a call names a test, logs a line, or passes the message of an error. */
function takesMessage(callee) {
  if (callee.type === 'Super') return true;
  if (callee.type === 'MemberExpression' && logMethods.has(callee.property.name)) return true;
  const root = rootOf(callee);
  return root.type === 'Identifier' && (testFunctions.has(root.name) || root.name === 'log');
}

const plainMessages = {
  create(context) {
    const check = (node) => {
      for (const argument of node.arguments) {
        const text = textOf(argument);
        for (const message of text?.split('\n\n').flatMap(faultsIn) ?? []) context.report({ node: argument, message });
      }
    };
    return {
      CallExpression: (node) => takesMessage(node.callee) && check(node),
      NewExpression: (node) => {
        if (node.parent.type === 'ThrowStatement' || /Error$/.test(node.callee.name ?? '')) check(node);
      },
    };
  },
};

const descriptionNames = new Set(['description', 'summary']);

/** Checks `description` and `summary` of object literals, and constants of these names, which decorators receive or spread. */
const plainDescriptions = {
  create(context) {
    const check = (name, text) => {
      if (!descriptionNames.has(name)) return;
      for (const message of textOf(text)?.split('\n\n').flatMap(descriptionFaultsIn) ?? [])
        context.report({ node: text, message });
    };
    return {
      'ObjectExpression > Property': ({ key, value }) => check(key.name ?? key.value, value),
      VariableDeclarator: ({ id, init }) => check(id.name, init),
    };
  },
};

const standardNames = {
  create(context) {
    const check = (id) => {
      if (id?.type === 'AssignmentPattern') return check(id.left);
      if (id?.type === 'TSParameterProperty') return check(id.parameter);
      if (id?.type === 'RestElement') return check(id.argument);
      if (id?.type !== 'Identifier' && id?.type !== 'PrivateIdentifier') return;
      const use = standardName(id.name);
      if (use !== null) context.report({ node: id, message: `"${id.name}" is a private name: use ${use}.` });
    };
    const checkFunction = ({ id, params }) => [id, ...params].forEach(check);
    const checkId = ({ id }) => check(id);
    const checkKey = ({ key, computed }) => computed || check(key);
    return {
      VariableDeclarator: checkId,
      FunctionDeclaration: checkFunction,
      FunctionExpression: checkFunction,
      TSEmptyBodyFunctionExpression: checkFunction,
      ArrowFunctionExpression: checkFunction,
      ClassDeclaration: checkId,
      TSInterfaceDeclaration: checkId,
      TSTypeAliasDeclaration: checkId,
      PropertyDefinition: checkKey,
      MethodDefinition: checkKey,
      TSAbstractMethodDefinition: checkKey,
      TSPropertySignature: checkKey,
      TSMethodSignature: checkKey,
    };
  },
};

/** Requires nouns for variables and parameters, unless the name is that of a field that they are read from. */
const nounsForVariables = {
  create(context) {
    const check = (node) => {
      for (const { name, identifiers } of context.sourceCode.getDeclaredVariables(node))
        if (
          refusedParticiples.test(name) &&
          !identifiers[0].parent.shorthand &&
          !identifiers[0].parent.parent?.shorthand
        )
          context.report({ node: identifiers[0], message: `"${name}" is a participle: name the value by a noun.` });
    };
    return { VariableDeclaration: check, ':function': check };
  },
};

const isFunction = (node) =>
  /^(?:Arrow)?Function(?:Expression)?$/.test(node?.type ?? '') ||
  (node?.type === 'TSAsExpression' && isFunction(node.expression));

/**
 * Checks the first word of doc comments. Functions and methods do something, so the comment begins with a verb. Of a class, it may
 * also name its kind: "A pool that …". Fields, constants and types are named by a noun phrase, with units.
 */
const docCommentVerb = {
  create(context) {
    const { sourceCode } = context;
    const check = (node, isAccepted, expected) => {
      const declared = /^Export/.test(node.parent.type) ? node.parent : node;
      const first = [declared, ...(node.decorators ?? [])].sort((a, b) => a.range[0] - b.range[0])[0];
      const comment = sourceCode.getCommentsBefore(first).at(-1);
      if (comment?.type !== 'Block' || !comment.value.startsWith('*')) return;
      const text = comment.value.replace(/^[\s*]+/, '');
      const [word] = /^[^\s.,:;]+/.exec(text) ?? [''];
      if (word === '' || word.startsWith('@') || isAccepted(word)) return;
      context.report({ loc: comment.loc, message: `"${word}" begins a doc comment: begin with ${expected}.` });
    };
    const isVerb = (word) => verbs.has(word);
    const checkFunction = (node) => check(node, isVerb, 'a verb of eslint-rules/words.mjs, such as "Returns"');
    const checkClass = (node) =>
      check(node, (word) => isVerb(word) || /^An?$/.test(word), 'a verb of eslint-rules/words.mjs, or "A …"');
    return {
      FunctionDeclaration: checkFunction,
      TSDeclareFunction: checkFunction,
      'VariableDeclaration[declarations.length=1]': (node) =>
        isFunction(node.declarations[0].init) && checkFunction(node),
      'MethodDefinition[kind="method"]': checkFunction,
      'TSAbstractMethodDefinition[kind="method"]': checkFunction,
      TSMethodSignature: checkFunction,
      PropertyDefinition: (node) => isFunction(node.value) && checkFunction(node),
      ClassDeclaration: checkClass,
    };
  },
};

/** Returns the text of a Markdown node, with code in backticks. */
function markdownText(node) {
  if (node.type === 'text') return node.value;
  if (node.type === 'inlineCode') return '`code`';
  if (node.type === 'break') return ' ';
  return node.children?.map(markdownText).join('') ?? '';
}

const plainMarkdown = {
  create(context) {
    const checkAll = (node) =>
      faultsIn(markdownText(node).replace(/\s+/g, ' ')).forEach((message) =>
        context.report({ loc: node.position, message }),
      );
    // Neither a heading nor a cell is a sentence.
    const checkWords = (node) =>
      wordFaultsIn(markdownText(node)).forEach((message) => context.report({ loc: node.position, message }));
    return { paragraph: checkAll, heading: checkWords, tableCell: checkWords };
  },
};

/** Turns comments of YAML, and lines of plain text, into comments of JavaScript on the same lines. */
const commentsOnly = (isText) => ({
  preprocess: (text) => [
    {
      filename: 'comments.js',
      text: text
        .split('\n')
        .map((line) => {
          if (isText)
            return /^\s*(?:\{\{|#|kubectl |helm |curl )|^\s{4}/.test(line)
              ? ''
              : `// ${line.replace(/\{\{.*?\}\}/g, '`value`')}`;
          const comment = /^(\s*)#+ ?(?:-- )?(.*)$/.exec(line);
          return comment ? `${comment[1]}// ${comment[2]}` : '';
        })
        .join('\n'),
    },
  ],
  postprocess: (messages) => messages.flat(),
});

/** Turns comments of SQL, and the texts of COMMENT ON, into comments of JavaScript on the same lines. */
const sqlComments = {
  preprocess: (sql) => [
    {
      filename: 'comments.js',
      text: sql
        .split('\n')
        .map((line) => {
          const [, comment, described] = /^\s*-- (?!squawk-)(.*)$|^COMMENT ON .*? IS '(.*)';$/.exec(line) ?? [];
          return described === undefined
            ? comment === undefined
              ? ''
              : `// ${comment}`
            : `/* ${described.replaceAll("''", "'")} */`;
        })
        .join('\n'),
    },
  ],
  postprocess: (messages) => messages.flat(),
};

/** Keeps prose to plain international English. The words are those of `words.mjs`. */
export const plainEnglish = {
  rules: {
    comments: plainComments,
    messages: plainMessages,
    descriptions: plainDescriptions,
    names: standardNames,
    nouns: nounsForVariables,
    'doc-comment-verb': docCommentVerb,
    markdown: plainMarkdown,
  },
  processors: { yaml: commentsOnly(false), text: commentsOnly(true), sql: sqlComments },
};

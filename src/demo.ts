import 'reflect-metadata';
import { runDemo } from './app/run-demo';

runDemo().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

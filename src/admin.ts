import 'reflect-metadata';
import { runAdmin } from './app/admin';

void runAdmin(process.argv.slice(2));

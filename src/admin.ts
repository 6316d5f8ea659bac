import 'reflect-metadata';
import { runAdmin } from './app/admin/admin';

void runAdmin(process.argv.slice(2));

import { PolledFile } from '../adapters/files/polled-file.ts';

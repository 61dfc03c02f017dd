export function serve(folder: string, port?: number): Promise<import('node:http').Server>;

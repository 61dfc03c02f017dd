// readpref that is given its module: init(source) or initSync(source) come before all else.
export * from '#api';

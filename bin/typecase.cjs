#!/usr/bin/env node
// Old versions of Node cannot read the program itself, so this file asks for theirs first, in words that all of them know.
'use strict';
var wanted = [20, 19];
var parts = process.versions.node.split('.').map(Number);
var isNew = parts[0] > wanted[0] || (parts[0] === wanted[0] && parts[1] >= wanted[1]);
if (isNew) {
  // Newer versions keep what they have compiled, for the next start.
  var compileCache = require('module').enableCompileCache;
  if (compileCache) compileCache();
  import('../dist/cli.js');
} else {
  console.error('Typecase needs Node 20.19 or newer; this is %s.', process.version);
  process.exitCode = 2;
}

// SPDX-License-Identifier: MIT
//
// Operators that the syntax tree and the checked AST spell the same.

export type ArithmeticOp = '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '<<' | '>>';
export type CompareOp = '==' | '!=' | '<' | '>' | '<=' | '>=';

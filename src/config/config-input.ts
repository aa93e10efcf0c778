// Written by scripts/write-schema.ts from the schema that configs are checked by.
import type { GenerateFunction } from '../model/function-model.ts';
import type { ToolFunction } from '../model/tool.ts';
import type { RetrieveFunction } from '../retrieve/retriever.ts';
import type { TransformFunction } from '../score/checks/transform-answer.ts';
import type { ScoreFunction } from '../score/evaluators/function-evaluator.ts';
import type { ModelObject } from './model-schema.ts';
import type { MessagesInput, TemplateInput } from './template-input.ts';

/** Of a list that could be changed compilers say what is wrong with an item, of another one only that it does not fit. */
type List<Item> = Item[] | readonly Item[];

/** Any value. Of an `unknown` option editors would take a list for one, and complete nothing in it. */
type Option = NonNullable<unknown> | null | undefined;

/** A type may be written as the path that Python imports it by. */
type ImportPath = `${string}.${string}`;

export type EvaluatorInput =
  | {
      /** the whole answer equals the gold answer, ignoring white space around it */
      readonly type: 'exact';
      /** Ignores case */
      readonly ignore_case?: boolean | undefined;
      /** Normalizes compatibility characters (Unicode NFKC) */
      readonly normalize?: boolean | undefined;
    }
  | {
      /** the answer contains the gold answer */
      readonly type: 'contains';
      /** Ignores case */
      readonly ignore_case?: boolean | undefined;
      /** Normalizes compatibility characters (Unicode NFKC) */
      readonly normalize?: boolean | undefined;
      /** Only as a whole word or number; scripts without spaces have no words */
      readonly whole_words?: boolean | undefined;
    }
  | {
      /** the final number in the answer, however it is written */
      readonly type: 'number';
      /** Absolute tolerance for numbers */
      readonly tolerance?: number | undefined;
      /** Relative tolerance for numbers, as a share of the gold answer */
      readonly relative_tolerance?: number | undefined;
    }
  | {
      /** the option that the answer chooses, by letter or text */
      readonly type: 'choice';
      /** The labels to choose from, such as ABCD or [yes, no] */
      readonly options?: string | readonly string[] | undefined;
      /** The columns with the texts of the options, or one with a list */
      readonly text_columns?: string | readonly string[] | undefined;
    }
  | {
      /** what a pattern finds in the answer equals the gold answer */
      readonly type: 'regex';
      /** The pattern, in JavaScript syntax, without slashes */
      readonly pattern: string;
      /** The number or name of the group to use */
      readonly group?: number | string | undefined;
      /** Flags of the pattern; `u` by default */
      readonly flags?: string | undefined;
      /** Ignores case */
      readonly ignore_case?: boolean | undefined;
      /** Normalizes compatibility characters (Unicode NFKC) */
      readonly normalize?: boolean | undefined;
    }
  | {
      /** the final formula in the answer, however it is written */
      readonly type: 'math';
      /** Absolute tolerance for numbers */
      readonly tolerance?: number | undefined;
      /** Relative tolerance for numbers, as a share of the gold answer */
      readonly relative_tolerance?: number | undefined;
    }
  | {
      /** as `exact`; in compat modes, as in the original */
      readonly type: 'AccEvaluator';
    }
  | {
      /** as `exact`; in compat modes, as in the original */
      readonly type: 'AccwithDetailsEvaluator';
    }
  | {
      /** the same words without articles and punctuation, at least up to the first full stop of the answer */
      readonly type: 'EMEvaluator';
    }
  | {
      /** word n-grams in common, over the whole dataset */
      readonly type: 'bleu';
      /** How texts are split into words; `13a` by default */
      readonly tokenize?: '13a' | 'intl' | 'char' | 'zh' | 'none' | 'ja' | undefined;
      /** Ignores case */
      readonly lowercase?: boolean | undefined;
      /** Smoothing for n-grams that are not found; `exp` by default */
      readonly smooth_method?: 'exp' | 'floor' | 'add-k' | 'none' | undefined;
      /** Its value, for `floor` and `add-k` */
      readonly smooth_value?: number | undefined;
    }
  | {
      /** character n-grams in common, over the whole dataset; `word_order: 2` for chrF++ */
      readonly type: 'chrf';
      /** The longest character n-gram; 6 by default */
      readonly char_order?: number | undefined;
      /** The longest word n-gram; 0 by default */
      readonly word_order?: number | undefined;
      /** How much recall weighs against precision; 2 by default */
      readonly beta?: number | undefined;
      /** Ignores case */
      readonly lowercase?: boolean | undefined;
      /** Counts white space too */
      readonly whitespace?: boolean | undefined;
      /** Smooths as NLTK and Moses do */
      readonly eps_smoothing?: boolean | undefined;
    }
  | {
      /** how many words must change or move, over the whole dataset; lower is better */
      readonly type: 'ter';
      /** Separates punctuation from words */
      readonly normalized?: boolean | undefined;
      /** Removes punctuation */
      readonly no_punct?: boolean | undefined;
      /** Applies the two settings above to Asian scripts as well */
      readonly asian_support?: boolean | undefined;
      /** Distinguishes upper and lower case */
      readonly case_sensitive?: boolean | undefined;
    }
  | {
      /** words and pairs of words in common: ROUGE-1, -2, -L and -Lsum */
      readonly type: 'rouge';
      /** The variant used as the score of a row; `rouge1` by default */
      readonly variant?: 'rouge1' | 'rouge2' | 'rougeL' | 'rougeLsum' | undefined;
      /** Compares the stems of English words */
      readonly use_stemmer?: boolean | undefined;
      /** The language used to split words, such as `ja`; by default according to the script */
      readonly language?: string | undefined;
    }
  | {
      /** words in common without articles and punctuation, as for SQuAD */
      readonly type: 'token_f1';
      /** The language used to split words, such as `ja`; by default according to the script */
      readonly language?: string | undefined;
    }
  | {
      /** how many characters must change (character error rate); lower is better */
      readonly type: 'edit_distance';
    }
  | {
      /** as `bleu` */
      readonly type: 'BleuEvaluator';
      /** How texts are split into words; `13a` by default */
      readonly tokenize?: '13a' | 'intl' | 'char' | 'zh' | 'none' | 'ja' | undefined;
      /** Ignores case */
      readonly lowercase?: boolean | undefined;
      /** Smoothing for n-grams that are not found; `exp` by default */
      readonly smooth_method?: 'exp' | 'floor' | 'add-k' | 'none' | undefined;
      /** Its value, for `floor` and `add-k` */
      readonly smooth_value?: number | undefined;
    }
  | {
      /** as `rouge` */
      readonly type: 'RougeEvaluator';
      /** The variant used as the score of a row; `rouge1` by default */
      readonly variant?: 'rouge1' | 'rouge2' | 'rougeL' | 'rougeLsum' | undefined;
      /** Compares the stems of English words */
      readonly use_stemmer?: boolean | undefined;
      /** The language used to split words, such as `ja`; by default according to the script */
      readonly language?: string | undefined;
    }
  | {
      /** as `rouge` with `language: zh` */
      readonly type: 'JiebaRougeEvaluator';
    }
  | {
      /** as `token_f1`, of the first line */
      readonly type: 'SquadEvaluator';
      /** The language used to split words, such as `ja`; by default according to the script */
      readonly language?: string | undefined;
    }
  | {
      /** F1, balanced accuracy and correlation of labels */
      readonly type: 'classification';
      /** The labels to choose from; those of the data by default */
      readonly labels?: string | readonly string[] | undefined;
      /** The label that F1, precision and recall refer to */
      readonly positive?: string | undefined;
      /** The main metric; `macro_f1` by default, `f1` with `positive` */
      readonly metric?:
        | 'accuracy'
        | 'f1'
        | 'precision'
        | 'recall'
        | 'macro_f1'
        | 'weighted_f1'
        | 'micro_f1'
        | 'macro_precision'
        | 'macro_recall'
        | 'balanced_accuracy'
        | 'mcc'
        | undefined;
    }
  | {
      /** as `classification` with `metric: mcc`: Matthews' correlation */
      readonly type: 'MccEvaluator';
    }
  | {
      /** whether the candidate closest to the answer (by edit distance) is the gold answer */
      readonly type: 'EDAccEvaluator';
    }
  | {
      /** area under the ROC curve, from the loglikelihoods of labels */
      readonly type: 'AUCROCEvaluator';
    }
  | {
      /** another model judges whether the answer is right, or how good it is */
      readonly type: 'judge';
      /** The `abbr` of a model in the config; by default the only one with `judge: true` */
      readonly model?: string | undefined;
      /** The prompt of the judge, instead of the default */
      readonly prompt?:
        | string
        | readonly unknown[]
        | {
            readonly [name: string]: unknown;
          }
        | undefined;
      /** Several prompts; the first one that applies to an answer is used */
      readonly prompts?:
        | readonly {
            /** Only this turn of a dialogue, counted from 1 */
            readonly turn?: number | undefined;
            /** Only answers with a reference, or only those without */
            readonly reference?: boolean | undefined;
            /** The prompt for these answers */
            readonly prompt:
              | string
              | readonly unknown[]
              | {
                  readonly [name: string]: unknown;
                };
          }[]
        | undefined;
      /** The requirements for an answer, in words, with columns in braces; `{rubric}` in a prompt */
      readonly rubric?: string | undefined;
      /** Which turns of a dialogue are judged: every turn, or only the last one; `every` by default */
      readonly turns?: 'every' | 'last' | undefined;
      /** The column to report separate means by */
      readonly by?: string | undefined;
      /** The possible verdicts; right or wrong by default */
      readonly verdict?:
        | {
            /** right or wrong */
            readonly type: 'choice';
            /** The verdict for a right answer; A by default */
            readonly correct?: string | undefined;
            /** The verdict for a wrong answer; B by default */
            readonly incorrect?: string | undefined;
            /** A pattern that finds the verdict in the reply; the first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which match counts if there are several; by default all must agree */
            readonly take?: 'first' | 'last' | undefined;
          }
        | {
            /** a grade on a scale */
            readonly type: 'grade';
            /** The lowest grade and the highest; [1, 10] by default */
            readonly scale?: readonly [number, number] | undefined;
            /** The key of the grade in the reply; `grade` by default */
            readonly field?: string | undefined;
            /** Additional grades on the same scale: keys of the reply, or names with patterns */
            readonly dimensions?:
              | readonly string[]
              | {
                  readonly [name: string]: string;
                }
              | undefined;
            /** A pattern that finds the verdict in the reply; the first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which match counts if there are several; by default all must agree */
            readonly take?: 'first' | 'last' | undefined;
          }
        | {
            /** one of several values, each worth a score */
            readonly type: 'json';
            /** What each value is worth, from 0 to 1 */
            readonly values: {
              readonly [name: string]: number;
            };
            /** The key of the value in the reply; `verdict` by default */
            readonly field?: string | undefined;
            /** The key of the score from 0 to 1 in the reply, for answers that are right */
            readonly score_field?: string | undefined;
            /** A pattern that finds the verdict in the reply; the first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which match counts if there are several; by default all must agree */
            readonly take?: 'first' | 'last' | undefined;
          }
        | {
            /** the better of two answers */
            readonly type: 'pair';
            /** The verdict for the first answer; 1 by default */
            readonly first?: string | readonly string[] | undefined;
            /** The verdict for the second answer; 2 by default */
            readonly second?: string | readonly string[] | undefined;
            /** The verdict if neither is better; `tie` by default */
            readonly tie?: string | readonly string[] | undefined;
            /** A pattern that finds the verdict in the reply; the first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which match counts if there are several; by default all must agree */
            readonly take?: 'first' | 'last' | undefined;
          }
        | undefined;
      /** The column used as `{question}` in prompts; `question` by default */
      readonly question_column?: string | undefined;
      /** Examples of judged answers, for the default prompt */
      readonly examples?:
        | readonly {
            /** The question */
            readonly question?: unknown | undefined;
            /** The answer that was judged */
            readonly prediction?: unknown | undefined;
            /** The right answer */
            readonly reference?: unknown | undefined;
            /** The verdict that the judge should give */
            readonly verdict?: unknown | undefined;
            /** Why */
            readonly reason?: string | undefined;
          }[]
        | undefined;
      /** The column with another answer to compare with */
      readonly against?: string | undefined;
      /** The result of a row if the verdict depends on the order of the answers; a tie by default */
      readonly disagreement?: 'tie' | 'unscored' | undefined;
    }
  | {
      /** the code of the answer passes the tests of the row */
      readonly type: 'code';
      /** The programming language */
      readonly language: 'python' | 'javascript';
      /** Code to run after that of the answer, with columns in braces; `{test}` by default */
      readonly test?: string | undefined;
      /** Code to run before that of the answer */
      readonly setup?: string | undefined;
      /** The column with the name that the answer must define */
      readonly entry_point?: string | undefined;
      /** Time limit for the tests, in seconds; 10 by default */
      readonly timeout?: number | undefined;
      /** Memory limit for the tests, in MB; 512 by default */
      readonly memory_mb?: number | undefined;
    }
  | {
      /** the answer is this text, or JSON equal to this value */
      readonly type: 'equals';
      /** What to expect; the gold answer of the row by default */
      readonly value?: unknown | undefined;
      /** Ignores case */
      readonly ignore_case?: boolean | undefined;
    }
  | {
      /** the answer contains all of these texts */
      readonly type: 'contains-all';
      /** What to expect; the gold answer of the row by default */
      readonly value?: unknown | undefined;
      /** Ignores case */
      readonly ignore_case?: boolean | undefined;
    }
  | {
      /** the answer begins with this text */
      readonly type: 'starts-with';
      /** What to expect; the gold answer of the row by default */
      readonly value?: unknown | undefined;
      /** Ignores case */
      readonly ignore_case?: boolean | undefined;
    }
  | {
      /** the answer matches a pattern; no match is wrong */
      readonly type: 'matches';
      /** A regular expression, in JavaScript syntax */
      readonly pattern: string;
      /** Its flags; `u` by default */
      readonly flags?: string | undefined;
    }
  | {
      /** the answer is JSON and nothing else */
      readonly type: 'is-json';
      /** Uses the last JSON object in the answer and ignores the text around it */
      readonly anywhere?: boolean | undefined;
    }
  | {
      /** the answer is JSON that matches a JSON Schema */
      readonly type: 'json-schema';
      /** The JSON Schema, written in YAML or TypeScript */
      readonly schema: unknown;
      /** Uses the last JSON object in the answer and ignores the text around it */
      readonly anywhere?: boolean | undefined;
    }
  | {
      /** the answer is close in meaning, by the similarity of embeddings */
      readonly type: 'similar';
      /** What to expect; the gold answer of the row by default */
      readonly value?: unknown | undefined;
      /** The embedding model: `base_url` and `model` of an endpoint, or the `path` of an encoder */
      readonly embedder?:
        | {
            /** Address of an embeddings endpoint */
            readonly base_url?: string | undefined;
            /** The model name to send to it */
            readonly model?: string | undefined;
            /** Folder of a local encoder */
            readonly path?: string | undefined;
            /** Environment variable that holds the API key */
            readonly api_key_env?: string | undefined;
            /** Maximum texts per request */
            readonly batch_size?: number | undefined;
          }
        | undefined;
    }
  | {
      /** the length of the answer is within bounds */
      readonly type: 'length';
      /** Minimum */
      readonly min?: number | undefined;
      /** Maximum */
      readonly max?: number | undefined;
      /** What to count; characters by default */
      readonly unit?: 'characters' | 'words' | 'lines' | undefined;
    }
  | {
      /** the answer came in time */
      readonly type: 'latency';
      /** Maximum milliseconds */
      readonly max: number;
    }
  | {
      /** the answer cost no more than this, at the price of the model */
      readonly type: 'cost';
      /** Maximum, in the currency of `price` */
      readonly max: number;
    }
  | {
      /** the model called a tool, with at least these arguments */
      readonly type: 'tool-called';
      /** The tool, or several that must all be called */
      readonly tool?: string | readonly string[] | undefined;
      /** Arguments that the call must have; others are allowed */
      readonly arguments?:
        | {
            readonly [name: string]: unknown;
          }
        | undefined;
      /** Allows no other tools and no other arguments */
      readonly exactly?: boolean | undefined;
    }
  | {
      /** the model refuses to answer */
      readonly type: 'refusal';
    }
  | {
      /** several checks: those of the config and those in the column `checks` of the row */
      readonly type: 'checks';
      /** The checks; a list instead of the evaluator means the same */
      readonly checks?: readonly unknown[] | undefined;
      /** The weighted mean from which a row passes, even if single checks fail */
      readonly threshold?: number | undefined;
      /** The column with the threshold of each row; a row without one must pass all checks */
      readonly threshold_column?: string | undefined;
      /** Sets of checks, by the name in `set`; each counts as one check */
      readonly sets?:
        | {
            readonly [name: string]: {
              /** The weighted mean from which it passes */
              readonly threshold?: number | undefined;
              /** How much it counts; 1 by default */
              readonly weight?: number | undefined;
              /** What it is called; its key by default */
              readonly name?: string | undefined;
            };
          }
        | undefined;
      /** Functions that change an answer before the checks that name them */
      readonly transforms?: Readonly<Record<string, TransformFunction>> | undefined;
      /** Whether checks see the JSON of tool calls instead of the text; false by default */
      readonly tool_calls_as_answer?: boolean | undefined;
      /** Whether checks see the reply as it came, with thoughts and the white space around it; false by default */
      readonly whole_reply?: boolean | undefined;
    }
  | {
      /** scored by a function in a TypeScript config */
      readonly type: 'function';
      /** The function; in a TypeScript or JavaScript config */
      readonly score?: ScoreFunction | undefined;
      /** Name of the score; `score` by default */
      readonly metric?: string | undefined;
    }
  | {
      /** the mean loss of texts measured by `PPLOnlyInferencer`, as without an evaluator */
      readonly type: 'AveragePPLEvaluator';
    }
  | {
      /** as `judge` */
      readonly type: 'GenericLLMEvaluator';
      /** The `abbr` of a model in the config */
      readonly model?: string | undefined;
      /** The possible verdicts, instead of `dict_postprocessor` */
      readonly verdict?:
        | {
            /** right or wrong */
            readonly type: 'choice';
            /** The verdict for a right answer; A by default */
            readonly correct?: string | undefined;
            /** The verdict for a wrong answer; B by default */
            readonly incorrect?: string | undefined;
            /** A pattern that finds the verdict in the reply; the first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which match counts if there are several; by default all must agree */
            readonly take?: 'first' | 'last' | undefined;
          }
        | {
            /** a grade on a scale */
            readonly type: 'grade';
            /** The lowest grade and the highest; [1, 10] by default */
            readonly scale?: readonly [number, number] | undefined;
            /** The key of the grade in the reply; `grade` by default */
            readonly field?: string | undefined;
            /** Additional grades on the same scale: keys of the reply, or names with patterns */
            readonly dimensions?:
              | readonly string[]
              | {
                  readonly [name: string]: string;
                }
              | undefined;
            /** A pattern that finds the verdict in the reply; the first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which match counts if there are several; by default all must agree */
            readonly take?: 'first' | 'last' | undefined;
          }
        | {
            /** one of several values, each worth a score */
            readonly type: 'json';
            /** What each value is worth, from 0 to 1 */
            readonly values: {
              readonly [name: string]: number;
            };
            /** The key of the value in the reply; `verdict` by default */
            readonly field?: string | undefined;
            /** The key of the score from 0 to 1 in the reply, for answers that are right */
            readonly score_field?: string | undefined;
            /** A pattern that finds the verdict in the reply; the first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which match counts if there are several; by default all must agree */
            readonly take?: 'first' | 'last' | undefined;
          }
        | undefined;
      /** The column used as `{question}` in prompts; `question` by default */
      readonly question_column?: string | undefined;
      /** The prompt of the judge; `{obj_gold}` is the reference */
      readonly prompt_template:
        | string
        | readonly unknown[]
        | {
            readonly [name: string]: unknown;
          };
      /** The model, by its `abbr` */
      readonly judge_cfg?: unknown | undefined;
      /** `generic_llmjudge_postprocess`: A is right, B is wrong */
      readonly dict_postprocessor?: unknown | undefined;
      /** Accepted and ignored: references come from the row */
      readonly dataset_cfg?: unknown | undefined;
      /** Whether a dialogue is judged once, with its last turn, as `turns: last` */
      readonly pack_all_predictions?: boolean | undefined;
      /** Rejected: `judge` with `against` asks in both orders */
      readonly infer_order?: unknown | undefined;
      /** Rejected: verdicts are not judged */
      readonly meta_review_prompt_template?: unknown | undefined;
      /** Rejected: `prompts` says which answers get which prompt */
      readonly multi_eval?: unknown | undefined;
    }
  | {
      /** as `judge` */
      readonly type: 'LMEvaluator';
      /** The `abbr` of a model in the config */
      readonly model?: string | undefined;
      /** The possible verdicts, instead of `dict_postprocessor` */
      readonly verdict?:
        | {
            /** right or wrong */
            readonly type: 'choice';
            /** The verdict for a right answer; A by default */
            readonly correct?: string | undefined;
            /** The verdict for a wrong answer; B by default */
            readonly incorrect?: string | undefined;
            /** A pattern that finds the verdict in the reply; the first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which match counts if there are several; by default all must agree */
            readonly take?: 'first' | 'last' | undefined;
          }
        | {
            /** a grade on a scale */
            readonly type: 'grade';
            /** The lowest grade and the highest; [1, 10] by default */
            readonly scale?: readonly [number, number] | undefined;
            /** The key of the grade in the reply; `grade` by default */
            readonly field?: string | undefined;
            /** Additional grades on the same scale: keys of the reply, or names with patterns */
            readonly dimensions?:
              | readonly string[]
              | {
                  readonly [name: string]: string;
                }
              | undefined;
            /** A pattern that finds the verdict in the reply; the first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which match counts if there are several; by default all must agree */
            readonly take?: 'first' | 'last' | undefined;
          }
        | {
            /** one of several values, each worth a score */
            readonly type: 'json';
            /** What each value is worth, from 0 to 1 */
            readonly values: {
              readonly [name: string]: number;
            };
            /** The key of the value in the reply; `verdict` by default */
            readonly field?: string | undefined;
            /** The key of the score from 0 to 1 in the reply, for answers that are right */
            readonly score_field?: string | undefined;
            /** A pattern that finds the verdict in the reply; the first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which match counts if there are several; by default all must agree */
            readonly take?: 'first' | 'last' | undefined;
          }
        | undefined;
      /** The column used as `{question}` in prompts; `question` by default */
      readonly question_column?: string | undefined;
      /** The prompt of the judge; `{obj_gold}` is the reference */
      readonly prompt_template:
        | string
        | readonly unknown[]
        | {
            readonly [name: string]: unknown;
          };
      /** The model, by its `abbr` */
      readonly judge_cfg?: unknown | undefined;
      /** `generic_llmjudge_postprocess`: A is right, B is wrong */
      readonly dict_postprocessor?: unknown | undefined;
      /** Accepted and ignored: references come from the row */
      readonly dataset_cfg?: unknown | undefined;
      /** Whether a dialogue is judged once, with its last turn, as `turns: last` */
      readonly pack_all_predictions?: boolean | undefined;
      /** Rejected: `judge` with `against` asks in both orders */
      readonly infer_order?: unknown | undefined;
      /** Rejected: verdicts are not judged */
      readonly meta_review_prompt_template?: unknown | undefined;
      /** Rejected: `prompts` says which answers get which prompt */
      readonly multi_eval?: unknown | undefined;
    }
  | {
      /** Its options are those of the last part of the path */
      readonly type: ImportPath;
      readonly [name: string]: Option;
    };

interface CheckKeys {
  /** Its name; its type by default */
  readonly name?: string | undefined;
  /** Its weight; 1 by default, 0 only measures */
  readonly weight?: number | undefined;
  /** The score it must reach; by default it must be right */
  readonly threshold?: number | undefined;
  /** What to expect, instead of the gold answer */
  readonly value?: unknown | undefined;
  /** The column that holds what to expect */
  readonly column?: string | undefined;
  /** The set of checks it belongs to */
  readonly set?: string | undefined;
  /** Functions of `transforms` to apply to the answer first */
  readonly transform?: string | readonly string[] | undefined;
}

type Checked<Part> = Part extends { readonly type: infer Name extends string }
  ? Omit<Part, 'type'> & CheckKeys & { readonly type: Name | `not-${Name}` }
  : never;

interface OtherCheckInput extends CheckKeys {
  readonly type:
    | 'contains-any'
    | 'not-contains-any'
    | 'icontains'
    | 'not-icontains'
    | 'icontains-any'
    | 'not-icontains-any'
    | 'icontains-all'
    | 'not-icontains-all'
    | 'contains-json'
    | 'not-contains-json'
    | 'is-refusal'
    | 'not-is-refusal'
    | 'llm-rubric'
    | 'not-llm-rubric'
    | 'javascript'
    | 'not-javascript'
    | 'rouge-n'
    | 'not-rouge-n'
    | 'word-count'
    | 'not-word-count';
  readonly [option: string]: Option;
}

/** One of several checks: an evaluator with a name, a weight and a threshold, or its contrary. */
export type CheckInput = Checked<EvaluatorInput> | OtherCheckInput;

export type PostprocessorInput =
  | {
      /** the whole text, without white space around it */
      readonly type: 'trimmed';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** the first line that is not blank */
      readonly type: 'first-line';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** the last line that is not blank */
      readonly type: 'last-line';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** the first number */
      readonly type: 'first-number';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** the last number */
      readonly type: 'last-number';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** the content of the last \boxed{…} */
      readonly type: 'boxed';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** the option that is named first */
      readonly type: 'first-option';
      /** The labels to choose from; ABCD by default */
      readonly options?: string | readonly string[] | undefined;
      /** Accepted, and used only in compat modes: labels are never looked for inside words */
      readonly cushion?: boolean | undefined;
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** the option that is named last */
      readonly type: 'last-option';
      /** The labels to choose from; ABCD by default */
      readonly options?: string | readonly string[] | undefined;
      /** Accepted, and used only in compat modes: labels are never looked for inside words */
      readonly cushion?: boolean | undefined;
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** the label of the option whose text is, or is in, the answer */
      readonly type: 'choice-text';
      /** The labels to choose from; A, B, C … by default */
      readonly options?: string | readonly string[] | undefined;
      /** The columns with the texts of the options, or one with a list */
      readonly text_columns: string | readonly string[];
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** the line after the last marker */
      readonly type: 'after-marker';
      /** The marker, or a list of them */
      readonly marker: string | readonly string[];
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** what a pattern finds */
      readonly type: 'regex';
      /** The pattern, in JavaScript syntax, without slashes */
      readonly pattern: string;
      /** The number or name of the group to use */
      readonly group?: number | string | undefined;
      /** Flags of the pattern; `u` by default */
      readonly flags?: string | undefined;
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** a value of the last JSON object */
      readonly type: 'json';
      /** Path in the object, such as `answer.value` or `items[0]` */
      readonly path: string;
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** a fenced block of code */
      readonly type: 'code';
      /** The languages that the block may be marked with */
      readonly language?: string | readonly string[] | undefined;
      /** Which block, if there are several */
      readonly which?: 'first' | 'last' | undefined;
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** the first of several post-processors that finds something */
      readonly type: 'chain';
      /** Post-processors to try in order */
      readonly extractors: PostprocessorInput | List<PostprocessorInput>;
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** the text up to the first stop, without articles and punctuation */
      readonly type: 'general';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** the first capital letter */
      readonly type: 'first-capital';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** the last capital letter */
      readonly type: 'last-capital';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** the first run of letters from A to D */
      readonly type: 'first-capital-multi';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** all capital letters, sorted, each once */
      readonly type: 'multiple-select';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** the text without <think>…</think> */
      readonly type: 'extract-non-reasoning-content';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** the last number before a next `Question:` */
      readonly type: 'gsm8k';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** the number after `####` */
      readonly type: 'gsm8k-dataset';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** as `general` */
      readonly type: 'general_postprocess';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** as `first-capital` */
      readonly type: 'first_capital_postprocess';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** as `last-capital` */
      readonly type: 'last_capital_postprocess';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** as `first-capital-multi` */
      readonly type: 'first_capital_postprocess_multi';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** as `multiple-select` */
      readonly type: 'multiple_select_postprocess';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** as `extract-non-reasoning-content` */
      readonly type: 'extract_non_reasoning_content';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** as `first-option` */
      readonly type: 'first_option_postprocess';
      /** The labels to choose from; ABCD by default */
      readonly options?: string | readonly string[] | undefined;
      /** Accepted, and used only in compat modes: labels are never looked for inside words */
      readonly cushion?: boolean | undefined;
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** as `last-option` */
      readonly type: 'last_option_postprocess';
      /** The labels to choose from; ABCD by default */
      readonly options?: string | readonly string[] | undefined;
      /** Accepted, and used only in compat modes: labels are never looked for inside words */
      readonly cushion?: boolean | undefined;
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** as `first-number` */
      readonly type: 'first_number_postprocess';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** as `gsm8k` */
      readonly type: 'gsm8k_postprocess';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** as `gsm8k-dataset` */
      readonly type: 'gsm8k_dataset_postprocess';
      /** Post-processors to apply first */
      readonly within?: PostprocessorInput | List<PostprocessorInput> | undefined;
    }
  | {
      /** Its options are those of the last part of the path */
      readonly type: ImportPath;
      readonly [name: string]: Option;
    };

interface SharedModelInput {
  /** Short name; the last part of `path` or `model` by default */
  readonly abbr?: string | undefined;
  /** Distinguishes models served under one name, such as 2026-11; not sent */
  readonly version?: string | undefined;
  /** Environment variable that holds the API key */
  readonly api_key_env?: string | undefined;
  /** Headers sent with every request */
  readonly headers?:
    | {
        readonly [name: string]: string;
      }
    | undefined;
  /** The model's dialogue format, or a name for it */
  readonly meta_template?:
    | 'chatml'
    | 'llama2'
    | 'llama3'
    | 'mistral'
    | 'gemma'
    | 'phi3'
    | 'zephyr'
    | 'vicuna'
    | 'internlm'
    | 'moss'
    | 'alpaca'
    | 'alpaca-ja'
    | 'rinna'
    | 'rinna-bilingual'
    | 'plain-dialogue'
    | {
        readonly [name: string]: unknown;
      }
    | readonly unknown[]
    | null
    | undefined;
  /** File of the chat template: .jinja or tokenizer_config.json */
  readonly chat_template?: string | undefined;
  /** Which chat template, if the file has several */
  readonly chat_template_name?: string | undefined;
  /** A tokenizer.json, for counting tokens and sending token ids */
  readonly tokenizer?: string | undefined;
  /** Context length in tokens; examples that do not fit are dropped */
  readonly max_seq_len?: number | null | undefined;
  /** Maximum tokens per answer */
  readonly max_out_len?: number | undefined;
  /** Maximum concurrent requests */
  readonly batch_size?: number | undefined;
  /** Maximum requests per second */
  readonly max_rps?: number | undefined;
  /** Time limit per request, in seconds */
  readonly timeout?: number | undefined;
  /** Maximum attempts per request */
  readonly retries?: number | undefined;
  /** Streams answers */
  readonly stream?: boolean | undefined;
  /** Whether the model accepts media; assumed of chat models by default */
  readonly vision?: boolean | undefined;
  /** The type of content part that carries audio; by default as in the template */
  readonly audio?: 'audio_url' | 'input_audio' | undefined;
  /** How the model marks its thoughts */
  readonly thinking?:
    | {
        /** The tag that opens a thought; by default those of common models */
        readonly begin?: string | undefined;
        /** The tag that closes a thought */
        readonly end?: string | undefined;
        /** Answers start inside a thought, for instance because the chat template of the server opens one */
        readonly opened?: boolean | undefined;
        /** Shows thoughts to later turns of a dialogue */
        readonly keep?: boolean | undefined;
      }
    | undefined;
  /** How a chat server continues the beginning of an answer: when told to (vLLM, SGLang), or whenever the last message is from the assistant; without it no beginning is sent */
  readonly prefill?: 'continue_final_message' | 'last_message' | undefined;
  /** Used only as a judge, not evaluated itself */
  readonly judge?: boolean | undefined;
  /** Sent as is with every request */
  readonly generation_kwargs?:
    | {
        readonly [name: string]: unknown;
      }
    | undefined;
  /** Texts that end an answer */
  readonly stop?: string | readonly string[] | undefined;
  /** What tokens cost, in any currency */
  readonly price?:
    | {
        /** Price per million input tokens */
        readonly in: number;
        /** Price per million output tokens */
        readonly out: number;
      }
    | undefined;
  /** What results of this model must reach */
  readonly gate?:
    | {
        /** The lowest passing score; rows without a score count as wrong */
        readonly fail_under?:
          | number
          | string
          | {
              readonly [name: string]: number | string;
            }
          | undefined;
        /** How many rows, or samples of scored rows, may have no score: 3, or 5% */
        readonly max_unscored?: number | string | undefined;
        /** How many rows may fail: 3, or 5%; 0 by default */
        readonly allow_failed?: number | string | undefined;
      }
    | undefined;
  /** As in the config, for this model only */
  readonly compat?: 'opencompass' | 'aisbench' | undefined;
}

interface OpenAIModelInput extends SharedModelInput {
  /** How the model is asked; without a type its prompts can only be viewed */
  readonly type: 'OpenAI';
  /** Name of the model, folder of a Local model, or file of recorded answers of a Replay model */
  readonly path?: string | undefined;
  /** The model name to send to the endpoint; in TypeScript also a model object */
  readonly model?: string | undefined;
  /** Address of the endpoint, with or without /v1; a list if several endpoints serve the model */
  readonly base_url?: string | readonly string[] | undefined;
}

interface OpenAICompletionsModelInput extends SharedModelInput {
  /** How the model is asked; without a type its prompts can only be viewed */
  readonly type: 'OpenAICompletions';
  /** Name of the model, folder of a Local model, or file of recorded answers of a Replay model */
  readonly path?: string | undefined;
  /** The model name to send to the endpoint; in TypeScript also a model object */
  readonly model?: string | undefined;
  /** Address of the endpoint, with or without /v1; a list if several endpoints serve the model */
  readonly base_url?: string | readonly string[] | undefined;
}

interface AISDKModelInput extends SharedModelInput {
  /** How the model is asked; without a type its prompts can only be viewed */
  readonly type: 'AISDK';
  /** Name of the model, folder of a Local model, or file of recorded answers of a Replay model */
  readonly path?: string | undefined;
  /** The model name to send to the endpoint; in TypeScript also a model object */
  readonly model: string;
  /** Provider package of an AISDK model */
  readonly package: string;
  /** Options of the provider package */
  readonly options?:
    | {
        readonly [name: string]: unknown;
      }
    | undefined;
}

interface LocalModelInput extends SharedModelInput {
  /** How the model is asked; without a type its prompts can only be viewed */
  readonly type: 'Local';
  /** Name of the model, folder of a Local model, or file of recorded answers of a Replay model */
  readonly path: string;
  /** The model name to send to the endpoint; in TypeScript also a model object */
  readonly model?: string | undefined;
}

interface DummyModelInput extends SharedModelInput {
  /** How the model is asked; without a type its prompts can only be viewed */
  readonly type: 'Dummy';
}

interface ReplayModelInput extends SharedModelInput {
  /** How the model is asked; without a type its prompts can only be viewed */
  readonly type: 'Replay';
  /** Name of the model, folder of a Local model, or file of recorded answers of a Replay model */
  readonly path?: string | undefined;
  /** Column of the data that holds the answers of a Replay model, instead of a file */
  readonly answer_column?: string | undefined;
  /** The model name to send to the endpoint; in TypeScript also a model object */
  readonly model?: string | undefined;
}

interface FileModelInput extends SharedModelInput {
  /** How the model is asked; without a type its prompts can only be viewed */
  readonly type: 'function';
  readonly generate?: undefined;
  /** File of a model of type function, relative to the config */
  readonly file: string;
  /** The name of the exported function; `default` by default */
  readonly export?: string | undefined;
}

interface FunctionModelInput extends SharedModelInput {
  /** How the model is asked; without a type its prompts can only be viewed */
  readonly type?: 'function' | undefined;
  /** A function instead of a model, in TypeScript and JavaScript configs */
  readonly generate: GenerateFunction;
}

interface ObjectModelInput extends SharedModelInput {
  /** How the model is asked; without a type its prompts can only be viewed */
  readonly type?: undefined;
  /** The model name to send to the endpoint; in TypeScript also a model object */
  readonly model: string | ModelObject;
}

interface ImportedModelInput extends SharedModelInput {
  /** How the model is asked; without a type its prompts can only be viewed */
  readonly type: ImportPath;
  /** Name of the model, folder of a Local model, or file of recorded answers of a Replay model */
  readonly path?: string | undefined;
  /** Column of the data that holds the answers of a Replay model, instead of a file */
  readonly answer_column?: string | undefined;
  /** The model name to send to the endpoint; in TypeScript also a model object */
  readonly model?: string | undefined;
  /** File of a model of type function, relative to the config */
  readonly file?: string | undefined;
  /** Provider package of an AISDK model */
  readonly package?: string | undefined;
  /** Options of the provider package */
  readonly options?:
    | {
        readonly [name: string]: unknown;
      }
    | undefined;
  /** Address of the endpoint, with or without /v1; a list if several endpoints serve the model */
  readonly base_url?: string | readonly string[] | undefined;
}

interface UntypedModelInput extends SharedModelInput {
  /** How the model is asked; without a type its prompts can only be viewed */
  readonly type?: undefined;
  /** Name of the model, folder of a Local model, or file of recorded answers of a Replay model */
  readonly path?: string | undefined;
  /** The model name to send to the endpoint; in TypeScript also a model object */
  readonly model?: string | undefined;
  /** Address of the endpoint, with or without /v1; a list if several endpoints serve the model */
  readonly base_url?: string | readonly string[] | undefined;
}

export type ModelInput =
  | OpenAIModelInput
  | OpenAICompletionsModelInput
  | AISDKModelInput
  | LocalModelInput
  | DummyModelInput
  | ReplayModelInput
  | FileModelInput
  | FunctionModelInput
  | ObjectModelInput
  | ImportedModelInput
  | UntypedModelInput;

/** A dataset that names a task: what it does not say itself, the task says. */
export interface DatasetOfTaskInput
  extends Omit<OwnDatasetInput, 'task' | 'reader_cfg' | 'infer_cfg'> {
  /** A task with rows, templates and scoring: its name or file */
  readonly task: string;
  /** Columns and rows to use */
  readonly reader_cfg?: Partial<OwnDatasetInput['reader_cfg']> | undefined;
  /** What is asked */
  readonly infer_cfg?: Partial<OwnDatasetInput['infer_cfg']> | undefined;
}

/** A dataset that says itself how it is asked. */
export interface OwnDatasetInput {
  /** Short name; the name of the file by default */
  readonly abbr?: string | undefined;
  /** Accepted and ignored */
  readonly type?: string | undefined;
  /** A task with rows, templates and scoring: its name or file */
  readonly task?: undefined;
  /** Which template of the task; its first one by default */
  readonly version?: string | undefined;
  /** Which release of the original the prompts and scores of a financial task follow */
  readonly dialect?: string | undefined;
  /** Expected hash of the template version; the run stops if the text has changed */
  readonly version_hash?: string | undefined;
  /** Data file, relative to the config, or one per split */
  readonly path?:
    | string
    | {
        readonly [name: string]: string;
      }
    | undefined;
  /** A dataset class of OpenCompass or AISBench with its settings; `path` is the folder of its published files */
  readonly published?:
    | {
        readonly [name: string]: unknown;
      }
    | undefined;
  /** Accepted and ignored */
  readonly name?: string | undefined;
  /** The rows themselves, instead of `path` */
  readonly rows?:
    | readonly object[]
    | {
        readonly [name: string]: readonly object[];
      }
    | undefined;
  /** How often each row is asked; 1 by default */
  readonly n?: number | undefined;
  /** The k of pass@k, pass^k and cons@k; n by default */
  readonly k?: number | readonly number[] | undefined;
  /** How images, audio and video are read and sent */
  readonly media?:
    | {
        /** Sends the bytes of local files (true, the default), or only their path */
        readonly inline?: boolean | undefined;
        /** Maximum bytes of a media file that is sent; 20000000 by default */
        readonly max_bytes?: number | undefined;
        /** Allows files outside the folder of the data; false by default */
        readonly allow_outside?: boolean | undefined;
      }
    | undefined;
  /** How a task of lm-evaluation-harness is asked */
  readonly lm_eval?:
    | {
        /** The task as in its YAML file, with includes and groups resolved */
        readonly config?:
          | {
              readonly [name: string]: unknown;
            }
          | undefined;
        /** The file that the task was read from */
        readonly file?: string | undefined;
        /** Number of examples; as in the task by default */
        readonly num_fewshot?: number | undefined;
        /** Seed of the examples; 1234 by default */
        readonly fewshot_seed?: number | undefined;
        /** System message, before the description */
        readonly system_instruction?: string | undefined;
        /** Uses the chat template of the model */
        readonly apply_chat_template?: boolean | undefined;
        /** Shows examples as separate turns, if the chat template is used; true by default */
        readonly fewshot_as_multiturn?: boolean | undefined;
        /** Generation settings; they override those of the task */
        readonly gen_kwargs?:
          | {
              readonly [name: string]: unknown;
            }
          | undefined;
        /** Replacements for `!function`: a file that exports them, or the functions */
        readonly functions?:
          | string
          | {
              readonly [name: string]: unknown;
            }
          | undefined;
      }
    | undefined;
  /** Columns and rows to use */
  readonly reader_cfg: {
    /** The columns that prompts may use */
    readonly input_columns: string | readonly string[];
    /** The column with the gold answer; null if there is none */
    readonly output_column: string | null;
    /** The columns of a CSV or TSV file without a header line, in order */
    readonly columns?: string | readonly string[] | undefined;
    /** The split that examples come from */
    readonly train_split?: string | undefined;
    /** The split that is asked */
    readonly test_split?: string | undefined;
    /** Rows of the train split to use: "[:100]", a number, or a share */
    readonly train_range?: string | number | null | undefined;
    /** Rows of the test split to use: "[:100]", a number, or a share */
    readonly test_range?: string | number | null | undefined;
    /** The column whose value rows of one cluster share: a document, a dialogue, a user */
    readonly cluster_by?: string | undefined;
  };
  /** What is asked */
  readonly infer_cfg: {
    /** Template of an example */
    readonly ice_template?:
      | {
          /** PromptTemplate, or RawPromptTemplate where there are messages */
          readonly type?:
            | 'PromptTemplate'
            | 'RawPromptTemplate'
            | 'MultiTurnPromptTemplate'
            | 'MMPromptTemplate'
            | ImportPath
            | undefined;
          /** The prompt: a string, a dialogue with begin, round and end, or one per label; in TypeScript also a function of the row */
          readonly template?: TemplateInput | undefined;
          /** The prompt as chat messages, with the roles of the API */
          readonly messages?: MessagesInput | undefined;
          /** Marks where the examples go */
          readonly ice_token?: string | null | undefined;
          /** A separator of old templates; it is removed from the prompt */
          readonly sep_token?: string | null | undefined;
          /** Placeholders of old configs, per column */
          readonly column_token_map?:
            | {
                readonly [name: string]: unknown;
              }
            | null
            | undefined;
          /** false sends the messages as written, without filling in columns */
          readonly format_variables?: boolean | undefined;
        }
      | null
      | undefined;
    /** Template of the question */
    readonly prompt_template?:
      | {
          /** PromptTemplate, or RawPromptTemplate where there are messages */
          readonly type?:
            | 'PromptTemplate'
            | 'RawPromptTemplate'
            | 'MultiTurnPromptTemplate'
            | 'MMPromptTemplate'
            | ImportPath
            | undefined;
          /** The prompt: a string, a dialogue with begin, round and end, or one per label; in TypeScript also a function of the row */
          readonly template?: TemplateInput | undefined;
          /** The prompt as chat messages, with the roles of the API */
          readonly messages?: MessagesInput | undefined;
          /** Marks where the examples go */
          readonly ice_token?: string | null | undefined;
          /** A separator of old templates; it is removed from the prompt */
          readonly sep_token?: string | null | undefined;
          /** Placeholders of old configs, per column */
          readonly column_token_map?:
            | {
                readonly [name: string]: unknown;
              }
            | null
            | undefined;
          /** false sends the messages as written, without filling in columns */
          readonly format_variables?: boolean | undefined;
        }
      | null
      | undefined;
    /** How examples are chosen */
    readonly retriever?:
      | {
          /** How examples are chosen */
          readonly type:
            | 'ZeroRetriever'
            | 'FixKRetriever'
            | 'RandomRetriever'
            | 'BalancedRetriever'
            | 'SlidingWindowRetriever'
            | 'BM25Retriever'
            | 'TopkRetriever'
            | 'VotekRetriever'
            | 'DPPRetriever'
            | 'MDLRetriever'
            | 'FunctionRetriever'
            | ImportPath;
          /** Text between examples */
          readonly ice_separator?: string | undefined;
          /** Text after the last example */
          readonly ice_eos_token?: string | undefined;
          /** How many examples; 1 by default */
          readonly ice_num?: number | undefined;
          /** The training rows that FixKRetriever uses, by number from 0 */
          readonly fix_id_list?: readonly number[] | undefined;
          /** Window size of SlidingWindowRetriever, in rows */
          readonly k?: number | undefined;
          /** Seed for random draws */
          readonly seed?: number | undefined;
          /** Which rows can be examples, such as "level >= 3" */
          readonly where?: string | undefined;
          /** Columns in which an example must match the row */
          readonly same_as?: string | readonly string[] | undefined;
          /** Columns to compare rows by; input_columns by default */
          readonly columns?: readonly string[] | undefined;
          /** The embedding model that finds texts of similar meaning */
          readonly embedder?:
            | {
                /** Address of the endpoint, with or without /v1 */
                readonly base_url?: string | undefined;
                /** The model name to send to the endpoint */
                readonly model?: string | undefined;
                /** Environment variable that holds the API key */
                readonly api_key_env?: string | undefined;
                /** Folder of a local encoder, instead of an endpoint */
                readonly path?: string | undefined;
                /** Maximum texts embedded together */
                readonly batch_size?: number | undefined;
              }
            | undefined;
          /** How many neighbours each row votes for in VotekRetriever */
          readonly votek_k?: number | undefined;
          /** How many nearest rows DPPRetriever and MDLRetriever choose from */
          readonly candidate_num?: number | undefined;
          /** How much DPPRetriever favours variety; 0.1 by default */
          readonly scale_factor?: number | undefined;
          /** How many selections MDLRetriever tries; 5 by default */
          readonly select_time?: number | undefined;
          /** The labels whose loglikelihood MDLRetriever computes; those of the task by default */
          readonly labels?: readonly unknown[] | undefined;
          /** The function of FunctionRetriever */
          readonly retrieve?: RetrieveFunction | undefined;
          /** Accepted and ignored: set it in infer_cfg */
          readonly ice_template?: unknown | undefined;
          /** Accepted and ignored: set it in infer_cfg */
          readonly prompt_template?: unknown | undefined;
          /** Accepted and ignored */
          readonly sentence_transformers_model_name?: string | undefined;
          /** Accepted and ignored */
          readonly tokenizer_name?: string | undefined;
          /** Accepted and ignored */
          readonly ce_model_name?: string | undefined;
          /** Accepted and ignored */
          readonly batch_size?: number | undefined;
        }
      | undefined;
    /** Shows examples as turns, as text before the question, or in the system text; by default as the templates say */
    readonly shots_as?: 'turns' | 'text' | 'system' | undefined;
    /** Tools that the model may call; sent with every request */
    readonly tools?:
      | readonly ({
          /** The name that the model calls it by */
          readonly name?: string | undefined;
          /** What it is for, as told to the model */
          readonly description?: string | undefined;
          /** The JSON Schema of its arguments */
          readonly parameters?:
            | {
                readonly [name: string]: unknown;
              }
            | undefined;
          /** The function to call, in TypeScript configs; its result is shown to the model */
          readonly run?: ToolFunction | undefined;
          /** Change it when the function gives different results; not sent */
          readonly version?: string | undefined;
          /** As in the API: `function` */
          readonly type?: string | undefined;
          /** As in the API: the tool itself */
          readonly function?:
            | {
                /** The name that the model calls it by */
                readonly name: string;
                /** What it is for, as told to the model */
                readonly description?: string | undefined;
                /** The JSON Schema of its arguments */
                readonly parameters?:
                  | {
                      readonly [name: string]: unknown;
                    }
                  | undefined;
              }
            | undefined;
        } & ({ readonly function: unknown } | { readonly name: unknown }))[]
      | undefined;
    /** Maximum requests per answer when tools have functions; 10 by default */
    readonly max_turns?: number | undefined;
    /** The format that answers must have, sent as is: json_object or json_schema */
    readonly response_format?:
      | {
          readonly [name: string]: unknown;
        }
      | undefined;
    /** What is asked of the model */
    readonly inferencer?:
      | {
          /** What is asked of the model */
          readonly type:
            | 'GenInferencer'
            | 'PPLInferencer'
            | 'LLInferencer'
            | 'CLPInferencer'
            | 'PPLOnlyInferencer'
            | 'SCInferencer'
            | 'ChatInferencer'
            | 'MultiTurnGenInferencer'
            | ImportPath;
          /** Maximum tokens per answer; for a dialogue, a list with one per turn */
          readonly max_out_len?: number | readonly number[] | undefined;
          /** Accepted and ignored */
          readonly min_out_len?: number | undefined;
          /** Accepted and ignored: set it on the model */
          readonly max_seq_len?: number | null | undefined;
          /** Accepted and ignored: set it on the model */
          readonly batch_size?: number | undefined;
          /** Texts that end an answer, in addition to those of the model */
          readonly stopping_criteria?: readonly string[] | undefined;
          /** Shown instead of the hidden answer */
          readonly gen_field_replace_token?: string | undefined;
          /** Sends the spaces before the hidden answer; by default the model writes them */
          readonly keep_trailing_spaces?: boolean | undefined;
          /** The labels to choose from by loglikelihood; for CLPInferencer, the possible next tokens */
          readonly labels?: readonly unknown[] | undefined;
          /** PPLInferencer compares how likely an answer is after the prompt and after this text */
          readonly normalizing_str?: string | undefined;
          /** What earlier turns of a dialogue contain: the answers of the model (every), those of the data (every_with_gt), or those of the data, with only the last turn asked (last) */
          readonly infer_mode?: 'every' | 'every_with_gt' | 'last' | undefined;
          /** Sent with every request of this dataset; overrides those of the model */
          readonly generation_kwargs?:
            | {
                readonly [name: string]: unknown;
              }
            | undefined;
          /** Read as `generation_kwargs.temperature` */
          readonly temperature?: number | undefined;
          /** Read as `generation_kwargs`: false means a temperature of 0 */
          readonly do_sample?: boolean | undefined;
          /** How many answers SCInferencer takes a vote of */
          readonly sc_size?: number | undefined;
          /** Outdated: belongs to the retriever */
          readonly fix_id_list?: readonly number[] | undefined;
        }
      | undefined;
  };
  /** How answers are scored */
  readonly eval_cfg?:
    | {
        /** How an answer is scored, or a list of checks */
        readonly evaluator?:
          | EvaluatorInput
          | CheckInput
          | List<EvaluatorInput | CheckInput>
          | undefined;
        /** Accepted and ignored */
        readonly pred_role?: string | undefined;
        /** Extracts the part of an answer to compare; replaces the default extraction of the evaluator */
        readonly pred_postprocessor?: PostprocessorInput | List<PostprocessorInput> | undefined;
        /** Asks with the options in several orders; a row counts as right only if all of them are */
        readonly circular?: 'rotations' | 'permutations' | undefined;
        /** Extracts the part of the gold answer to compare */
        readonly dataset_postprocessor?: PostprocessorInput | List<PostprocessorInput> | undefined;
      }
    | undefined;
  /** What results on this dataset must reach */
  readonly gate?:
    | {
        /** The lowest passing score; rows without a score count as wrong */
        readonly fail_under?:
          | number
          | string
          | {
              readonly [name: string]: number | string;
            }
          | undefined;
        /** How many rows, or samples of scored rows, may have no score: 3, or 5% */
        readonly max_unscored?: number | string | undefined;
        /** How many rows may fail: 3, or 5%; 0 by default */
        readonly allow_failed?: number | string | undefined;
        /** Different gates for some models, by abbr */
        readonly models?:
          | {
              readonly [name: string]: {
                /** The lowest passing score; rows without a score count as wrong */
                readonly fail_under?:
                  | number
                  | string
                  | {
                      readonly [name: string]: number | string;
                    }
                  | undefined;
                /** How many rows, or samples of scored rows, may have no score: 3, or 5% */
                readonly max_unscored?: number | string | undefined;
                /** How many rows may fail: 3, or 5%; 0 by default */
                readonly allow_failed?: number | string | undefined;
              };
            }
          | undefined;
      }
    | undefined;
}

export type DatasetInput = DatasetOfTaskInput | OwnDatasetInput;

/** What a config file may hold, spelled as in the file. */
export interface ConfigInput {
  /** The models to evaluate */
  readonly models?: readonly ModelInput[] | undefined;
  /** The datasets to evaluate on */
  readonly datasets?: readonly DatasetInput[] | undefined;
  /** Builds prompts and scores answers as another system does */
  readonly compat?: 'opencompass' | 'aisbench' | undefined;
  /** Folder of the runs; `runs` by default */
  readonly work_dir?: string | undefined;
  /** Averages to report */
  readonly summarizer?:
    | {
        /** Averages over several datasets */
        readonly summary_groups?:
          | readonly {
              /** Name of the average */
              readonly name: string;
              /** The datasets to average, by abbr */
              readonly subsets: readonly string[];
              /** Weight of each dataset; equal by default */
              readonly weights?:
                | {
                    readonly [name: string]: number;
                  }
                | undefined;
            }[]
          | undefined;
        readonly [name: string]: Option;
      }
    | undefined;
  /** Seed of random draws */
  readonly seed?: number | undefined;
  /** What results must reach; otherwise the exit code is not 0 */
  readonly gate?:
    | {
        /** The lowest passing score; rows without a score count as wrong */
        readonly fail_under?:
          | number
          | string
          | {
              readonly [name: string]: number | string;
            }
          | undefined;
        /** How many rows, or samples of scored rows, may have no score: 3, or 5% */
        readonly max_unscored?: number | string | undefined;
        /** How many rows may fail: 3, or 5%; 0 by default */
        readonly allow_failed?: number | string | undefined;
      }
    | undefined;
  /** What `typecase sweep` varies */
  readonly sweep?:
    | {
        /** Versions of the task, task files, or templates with a `name`; all versions */
        readonly templates?:
          | 'all'
          | List<
              | string
              | {
                  /** Name of the template in results */
                  readonly name: string;
                  /** Template of the question */
                  readonly prompt_template?:
                    | {
                        readonly [name: string]: unknown;
                      }
                    | undefined;
                  /** Template of an example */
                  readonly ice_template?:
                    | {
                        readonly [name: string]: unknown;
                      }
                    | undefined;
                }
            >
          | undefined;
        /** Numbers of examples */
        readonly shots?: readonly number[] | undefined;
        /** How examples are chosen: types, or retrievers with their settings */
        readonly retrievers?:
          | readonly (
              | string
              | {
                  readonly [name: string]: unknown;
                }
            )[]
          | undefined;
        /** Seeds of random examples */
        readonly seeds?: readonly number[] | undefined;
        /** Model formats by name; `own` is that of the model */
        readonly meta_templates?: readonly string[] | undefined;
        /** Shows examples as turns, as text, or in the system text */
        readonly shots_as?: readonly ('turns' | 'text' | 'system')[] | undefined;
        /** `original`, how many places options move up, or `rotations` for all */
        readonly option_orders?: readonly (string | number)[] | undefined;
      }
    | undefined;
  /** The schema of this file, for editors */
  readonly $schema?: string | undefined;
  /** Tells a config that was read and checked from one that is spelled; not a key. */
  readonly written?: undefined;
  readonly [list: `${string}_models`]: readonly ModelInput[] | undefined;
  readonly [list: `${string}_datasets`]: readonly DatasetInput[] | undefined;
}

// Written by scripts/write-schema.ts from the schema that configs are checked by.
import type { GenerateFunction } from '../model/function-model.ts';
import type { ToolFunction } from '../model/tool.ts';
import type { RetrieveFunction } from '../retrieve/retriever.ts';
import type { TransformFunction } from '../score/checks/checks-scorer.ts';
import type { ScoreFunction } from '../score/evaluators/function-evaluator.ts';
import type { ModelObject } from './model-schema.ts';
import type { MessagesInput, TemplateInput } from './template-input.ts';

/** A type may be written as the path that Python imports it by. */
type ImportPath = `${string}.${string}`;

export type EvaluatorInput =
  | {
      /** the whole answer is the right one, but for white space around it */
      readonly type: 'exact';
      /** Takes small and capital letters as the same */
      readonly ignore_case?: boolean | undefined;
      /** Takes compatibility characters for their common forms (Unicode NFKC) */
      readonly normalize?: boolean | undefined;
    }
  | {
      /** the right answer stands somewhere in the answer */
      readonly type: 'contains';
      /** Takes small and capital letters as the same */
      readonly ignore_case?: boolean | undefined;
      /** Takes compatibility characters for their common forms (Unicode NFKC) */
      readonly normalize?: boolean | undefined;
      /** Not inside of a longer word or number; scripts without spaces have no words */
      readonly whole_words?: boolean | undefined;
    }
  | {
      /** the number that an answer comes to, however it is written */
      readonly type: 'number';
      /** How far a number may be off */
      readonly tolerance?: number | undefined;
      /** How far a number may be off, as a share of the right one */
      readonly relative_tolerance?: number | undefined;
    }
  | {
      /** the option that an answer settles on, by its letter or its text */
      readonly type: 'choice';
      /** The labels on offer, such as ABCD or [yes, no] */
      readonly options?: string | readonly string[] | undefined;
      /** The columns of the options' texts, or one that lists them */
      readonly text_columns?: string | readonly string[] | undefined;
    }
  | {
      /** what a pattern finds in the answer is the right one */
      readonly type: 'regex';
      /** The pattern, as JavaScript writes it, without slashes */
      readonly pattern: string;
      /** The number or the name of the group that counts */
      readonly group?: number | string | undefined;
      /** Flags of the pattern; `u` by default */
      readonly flags?: string | undefined;
      /** Takes small and capital letters as the same */
      readonly ignore_case?: boolean | undefined;
      /** Takes compatibility characters for their common forms (Unicode NFKC) */
      readonly normalize?: boolean | undefined;
    }
  | {
      /** the formula that an answer comes to, however it is written */
      readonly type: 'math';
      /** How far a number may be off */
      readonly tolerance?: number | undefined;
      /** How far a number may be off, as a share of the right one */
      readonly relative_tolerance?: number | undefined;
    }
  | {
      /** as `exact`; in compat modes as in those systems */
      readonly type: 'AccEvaluator';
    }
  | {
      /** as `exact`; in compat modes as in those systems */
      readonly type: 'AccwithDetailsEvaluator';
    }
  | {
      /** the same words, without articles and punctuation, at least up to the first stop of the answer */
      readonly type: 'EMEvaluator';
    }
  | {
      /** n-grams of words in common, over the whole dataset */
      readonly type: 'bleu';
      /** How texts are split into words; `13a` by default */
      readonly tokenize?: '13a' | 'intl' | 'char' | 'zh' | 'none' | 'ja' | undefined;
      /** Takes small and capital letters as the same */
      readonly lowercase?: boolean | undefined;
      /** What stands in for n-grams that are not found; `exp` by default */
      readonly smooth_method?: 'exp' | 'floor' | 'add-k' | 'none' | undefined;
      /** How much, for `floor` and `add-k` */
      readonly smooth_value?: number | undefined;
    }
  | {
      /** n-grams of characters in common, over the whole dataset; `word_order: 2` for chrF++ */
      readonly type: 'chrf';
      /** The longest n-gram of characters; 6 by default */
      readonly char_order?: number | undefined;
      /** The longest n-gram of words; 0 by default */
      readonly word_order?: number | undefined;
      /** How much recall weighs against precision; 2 by default */
      readonly beta?: number | undefined;
      /** Takes small and capital letters as the same */
      readonly lowercase?: boolean | undefined;
      /** Counts white space too */
      readonly whitespace?: boolean | undefined;
      /** Smooths as NLTK and Moses do */
      readonly eps_smoothing?: boolean | undefined;
    }
  | {
      /** how few words must change or move, over the whole dataset; less is better */
      readonly type: 'ter';
      /** Splits off punctuation and the like */
      readonly normalized?: boolean | undefined;
      /** Leaves punctuation out */
      readonly no_punct?: boolean | undefined;
      /** For the two before: Asian scripts too */
      readonly asian_support?: boolean | undefined;
      /** Tells small letters from capital ones */
      readonly case_sensitive?: boolean | undefined;
    }
  | {
      /** words and pairs of words in common: ROUGE-1, -2, -L and -Lsum */
      readonly type: 'rouge';
      /** The one that is the score of a row; `rouge1` by default */
      readonly variant?: 'rouge1' | 'rouge2' | 'rougeL' | 'rougeLsum' | undefined;
      /** Compares the stems of English words */
      readonly use_stemmer?: boolean | undefined;
      /** The language whose words are counted, such as `ja`; left out, those of each script */
      readonly language?: string | undefined;
    }
  | {
      /** words in common without articles and punctuation, as for SQuAD */
      readonly type: 'token_f1';
      /** The language whose words are counted, such as `ja`; left out, those of each script */
      readonly language?: string | undefined;
    }
  | {
      /** how few characters must change; character error rate */
      readonly type: 'edit_distance';
    }
  | {
      /** as `bleu` */
      readonly type: 'BleuEvaluator';
      /** How texts are split into words; `13a` by default */
      readonly tokenize?: '13a' | 'intl' | 'char' | 'zh' | 'none' | 'ja' | undefined;
      /** Takes small and capital letters as the same */
      readonly lowercase?: boolean | undefined;
      /** What stands in for n-grams that are not found; `exp` by default */
      readonly smooth_method?: 'exp' | 'floor' | 'add-k' | 'none' | undefined;
      /** How much, for `floor` and `add-k` */
      readonly smooth_value?: number | undefined;
    }
  | {
      /** as `rouge` */
      readonly type: 'RougeEvaluator';
      /** The one that is the score of a row; `rouge1` by default */
      readonly variant?: 'rouge1' | 'rouge2' | 'rougeL' | 'rougeLsum' | undefined;
      /** Compares the stems of English words */
      readonly use_stemmer?: boolean | undefined;
      /** The language whose words are counted, such as `ja`; left out, those of each script */
      readonly language?: string | undefined;
    }
  | {
      /** as `rouge` with `language: zh` */
      readonly type: 'JiebaRougeEvaluator';
    }
  | {
      /** as `token_f1`, of the first line */
      readonly type: 'SquadEvaluator';
      /** The language whose words are counted, such as `ja`; left out, those of each script */
      readonly language?: string | undefined;
    }
  | {
      /** F1, balanced accuracy and correlation of labels */
      readonly type: 'classification';
      /** The labels on offer; those of the data by default */
      readonly labels?: string | readonly string[] | undefined;
      /** The label that F1, precision and recall are of */
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
      /** whether the candidate that takes the fewest edits is the right one */
      readonly type: 'EDAccEvaluator';
    }
  | {
      /** area under the ROC curve, where the loglikelihoods of labels are compared */
      readonly type: 'AUCROCEvaluator';
    }
  | {
      /** another model decides whether the answer is right, or how good it is */
      readonly type: 'judge';
      /** The `abbr` of a model of the config; the only one with `judge: true` by default */
      readonly model?: string | undefined;
      /** What the judge is asked, in place of the default prompt */
      readonly prompt?:
        | string
        | readonly unknown[]
        | {
            readonly [name: string]: unknown;
          }
        | undefined;
      /** Several prompts, of which the first one that fits an answer is taken */
      readonly prompts?:
        | readonly {
            /** Only this turn of dialogues, counted from 1 */
            readonly turn?: number | undefined;
            /** Only answers with a reference, or only those without */
            readonly reference?: boolean | undefined;
            /** What the judge is asked about them */
            readonly prompt:
              | string
              | readonly unknown[]
              | {
                  readonly [name: string]: unknown;
                };
          }[]
        | undefined;
      /** What the answer has to be, in words, with columns in braces; `{rubric}` in a prompt */
      readonly rubric?: string | undefined;
      /** Which turns of a dialogue are judged: each, or the last one for all of it; `every` by default */
      readonly turns?: 'every' | 'last' | undefined;
      /** The column whose values have means of their own */
      readonly by?: string | undefined;
      /** What the judge may say; right or wrong by default */
      readonly verdict?:
        | {
            /** right or wrong */
            readonly type: 'choice';
            /** What the judge says of a right answer; A by default */
            readonly correct?: string | undefined;
            /** What the judge says of a wrong answer; B by default */
            readonly incorrect?: string | undefined;
            /** Where in the reply the verdict is written; its first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which one counts if the pattern matches several times; all have to say the same by default */
            readonly take?: 'first' | 'last' | undefined;
          }
        | {
            /** a grade on a scale */
            readonly type: 'grade';
            /** The lowest grade and the highest; [1, 10] by default */
            readonly scale?: readonly [number, number] | undefined;
            /** The key of the reply that holds the grade; `grade` by default */
            readonly field?: string | undefined;
            /** Further grades on the scale: keys of the reply, or names with their patterns */
            readonly dimensions?:
              | readonly string[]
              | {
                  readonly [name: string]: string;
                }
              | undefined;
            /** Where in the reply the verdict is written; its first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which one counts if the pattern matches several times; all have to say the same by default */
            readonly take?: 'first' | 'last' | undefined;
          }
        | {
            /** one of several values, each worth a score */
            readonly type: 'json';
            /** What each value is worth, from 0 to 1 */
            readonly values: {
              readonly [name: string]: number;
            };
            /** The key of the reply that holds the value; `verdict` by default */
            readonly field?: string | undefined;
            /** The key of the reply that says, from 0 to 1, how well a right answer is right */
            readonly score_field?: string | undefined;
            /** Where in the reply the verdict is written; its first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which one counts if the pattern matches several times; all have to say the same by default */
            readonly take?: 'first' | 'last' | undefined;
          }
        | {
            /** the better of two answers */
            readonly type: 'pair';
            /** What the judge calls the first answer; 1 by default */
            readonly first?: string | readonly string[] | undefined;
            /** What the judge calls the second answer; 2 by default */
            readonly second?: string | readonly string[] | undefined;
            /** What the judge says if neither is better; `tie` by default */
            readonly tie?: string | readonly string[] | undefined;
            /** Where in the reply the verdict is written; its first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which one counts if the pattern matches several times; all have to say the same by default */
            readonly take?: 'first' | 'last' | undefined;
          }
        | undefined;
      /** The column that prompts call `{question}`; `question` by default */
      readonly question_column?: string | undefined;
      /** Judged answers, for the default prompt */
      readonly examples?:
        | readonly {
            /** The question */
            readonly question?: unknown | undefined;
            /** The answer that was judged */
            readonly prediction?: unknown | undefined;
            /** The right answer */
            readonly reference?: unknown | undefined;
            /** What the judge should say of it */
            readonly verdict?: unknown | undefined;
            /** Why */
            readonly reason?: string | undefined;
          }[]
        | undefined;
      /** The column of another answer to compare with */
      readonly against?: string | undefined;
      /** What a row is if the order of two answers decides; a tie by default */
      readonly disagreement?: 'tie' | 'unscored' | undefined;
    }
  | {
      /** the code of the answer passes the tests of the row */
      readonly type: 'code';
      /** What the code is written in */
      readonly language: 'python' | 'javascript';
      /** What is run after the code of the answer, columns in braces; `{test}` by default */
      readonly test?: string | undefined;
      /** What is run before the code of the answer */
      readonly setup?: string | undefined;
      /** The column with the name that the answer has to define */
      readonly entry_point?: string | undefined;
      /** The most seconds that the tests may take; 10 by default */
      readonly timeout?: number | undefined;
      /** The most memory that they may take; 512 by default */
      readonly memory_mb?: number | undefined;
    }
  | {
      /** the answer is this text, or JSON that is the same as this value */
      readonly type: 'equals';
      /** What is wanted; the right answer of the row by default */
      readonly value?: unknown | undefined;
      /** Takes small and capital letters as the same */
      readonly ignore_case?: boolean | undefined;
    }
  | {
      /** all of these texts stand in the answer */
      readonly type: 'contains-all';
      /** What is wanted; the right answer of the row by default */
      readonly value?: unknown | undefined;
      /** Takes small and capital letters as the same */
      readonly ignore_case?: boolean | undefined;
    }
  | {
      /** the answer begins with this text */
      readonly type: 'starts-with';
      /** What is wanted; the right answer of the row by default */
      readonly value?: unknown | undefined;
      /** Takes small and capital letters as the same */
      readonly ignore_case?: boolean | undefined;
    }
  | {
      /** a pattern finds something in the answer; none found is wrong */
      readonly type: 'matches';
      /** A regular expression, in the syntax of JavaScript */
      readonly pattern: string;
      /** Its flags; `u` by default */
      readonly flags?: string | undefined;
    }
  | {
      /** the answer is JSON and nothing else */
      readonly type: 'is-json';
      /** Takes the last JSON object in the answer, whatever stands around it */
      readonly anywhere?: boolean | undefined;
    }
  | {
      /** the answer is JSON that fits a JSON Schema */
      readonly type: 'json-schema';
      /** The JSON Schema; in YAML or TypeScript as it is */
      readonly schema: unknown;
      /** Takes the last JSON object in the answer, whatever stands around it */
      readonly anywhere?: boolean | undefined;
    }
  | {
      /** the answer means nearly the same, by how near their vectors are */
      readonly type: 'similar';
      /** What is wanted; the right answer of the row by default */
      readonly value?: unknown | undefined;
      /** What makes vectors: `base_url` and `model` of an endpoint, or the `path` of an encoder */
      readonly embedder?:
        | {
            /** Address of an endpoint for embeddings */
            readonly base_url?: string | undefined;
            /** The model that it is asked for */
            readonly model?: string | undefined;
            /** Folder of an encoder on this machine */
            readonly path?: string | undefined;
            /** Environment variable that holds the API key */
            readonly api_key_env?: string | undefined;
            /** The most texts of a request */
            readonly batch_size?: number | undefined;
          }
        | undefined;
    }
  | {
      /** how long the answer is lies between bounds */
      readonly type: 'length';
      /** The least */
      readonly min?: number | undefined;
      /** The most */
      readonly max?: number | undefined;
      /** What is counted; characters by default */
      readonly unit?: 'characters' | 'words' | 'lines' | undefined;
    }
  | {
      /** the answer came in time */
      readonly type: 'latency';
      /** The most milliseconds */
      readonly max: number;
    }
  | {
      /** the answer cost no more than this, by the price of the model */
      readonly type: 'cost';
      /** The most, in the currency of `price` */
      readonly max: number;
    }
  | {
      /** the model called a tool, with these arguments among others */
      readonly type: 'tool-called';
      /** The tool, or several that all have to be called */
      readonly tool?: string | readonly string[] | undefined;
      /** Arguments that the call must have; others do not matter */
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
      /** several checks, those of the config and those that a row brings in `checks` */
      readonly type: 'checks';
      /** The checks; a list in place of the evaluator says the same */
      readonly checks?: readonly unknown[] | undefined;
      /** The weighted mean from which a row passes, whichever of its checks fail */
      readonly threshold?: number | undefined;
      /** The column that has it for each row; a row without one has to pass all checks */
      readonly threshold_column?: string | undefined;
      /** Sets of checks, by what checks call their `set`: each counts as one check */
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
      /** Functions that change an answer before checks that name them look at it */
      readonly transforms?: Readonly<Record<string, TransformFunction>> | undefined;
    }
  | {
      /** a function of a TypeScript config gives the score */
      readonly type: 'function';
      /** The function; in a TypeScript or JavaScript config */
      readonly score?: ScoreFunction | undefined;
      /** What the score is called; `score` by default */
      readonly metric?: string | undefined;
    }
  | {
      /** the mean loss of texts that a `PPLOnlyInferencer` measures, as without an evaluator */
      readonly type: 'AveragePPLEvaluator';
    }
  | {
      /** as `judge` */
      readonly type: 'GenericLLMEvaluator';
      /** The `abbr` of a model of the config */
      readonly model?: string | undefined;
      /** What the judge may say, in place of `dict_postprocessor` */
      readonly verdict?:
        | {
            /** right or wrong */
            readonly type: 'choice';
            /** What the judge says of a right answer; A by default */
            readonly correct?: string | undefined;
            /** What the judge says of a wrong answer; B by default */
            readonly incorrect?: string | undefined;
            /** Where in the reply the verdict is written; its first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which one counts if the pattern matches several times; all have to say the same by default */
            readonly take?: 'first' | 'last' | undefined;
          }
        | {
            /** a grade on a scale */
            readonly type: 'grade';
            /** The lowest grade and the highest; [1, 10] by default */
            readonly scale?: readonly [number, number] | undefined;
            /** The key of the reply that holds the grade; `grade` by default */
            readonly field?: string | undefined;
            /** Further grades on the scale: keys of the reply, or names with their patterns */
            readonly dimensions?:
              | readonly string[]
              | {
                  readonly [name: string]: string;
                }
              | undefined;
            /** Where in the reply the verdict is written; its first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which one counts if the pattern matches several times; all have to say the same by default */
            readonly take?: 'first' | 'last' | undefined;
          }
        | {
            /** one of several values, each worth a score */
            readonly type: 'json';
            /** What each value is worth, from 0 to 1 */
            readonly values: {
              readonly [name: string]: number;
            };
            /** The key of the reply that holds the value; `verdict` by default */
            readonly field?: string | undefined;
            /** The key of the reply that says, from 0 to 1, how well a right answer is right */
            readonly score_field?: string | undefined;
            /** Where in the reply the verdict is written; its first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which one counts if the pattern matches several times; all have to say the same by default */
            readonly take?: 'first' | 'last' | undefined;
          }
        | undefined;
      /** The column that prompts call `{question}`; `question` by default */
      readonly question_column?: string | undefined;
      /** What the judge is asked; `{obj_gold}` is the reference */
      readonly prompt_template:
        | string
        | readonly unknown[]
        | {
            readonly [name: string]: unknown;
          };
      /** Its `abbr` names the model */
      readonly judge_cfg?: unknown | undefined;
      /** `generic_llmjudge_postprocess`: A is right, B is wrong */
      readonly dict_postprocessor?: unknown | undefined;
      /** Accepted, and not used: the row has references */
      readonly dataset_cfg?: unknown | undefined;
      /** Whether a dialogue is judged once, with its last turn, as `turns: last` */
      readonly pack_all_predictions?: boolean | undefined;
      /** Refused: `judge` with `against` asks in both orders */
      readonly infer_order?: unknown | undefined;
      /** Refused: verdicts are not judged */
      readonly meta_review_prompt_template?: unknown | undefined;
      /** Refused: `prompts` says what is asked of which answers */
      readonly multi_eval?: unknown | undefined;
    }
  | {
      /** as `judge` */
      readonly type: 'LMEvaluator';
      /** The `abbr` of a model of the config */
      readonly model?: string | undefined;
      /** What the judge may say, in place of `dict_postprocessor` */
      readonly verdict?:
        | {
            /** right or wrong */
            readonly type: 'choice';
            /** What the judge says of a right answer; A by default */
            readonly correct?: string | undefined;
            /** What the judge says of a wrong answer; B by default */
            readonly incorrect?: string | undefined;
            /** Where in the reply the verdict is written; its first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which one counts if the pattern matches several times; all have to say the same by default */
            readonly take?: 'first' | 'last' | undefined;
          }
        | {
            /** a grade on a scale */
            readonly type: 'grade';
            /** The lowest grade and the highest; [1, 10] by default */
            readonly scale?: readonly [number, number] | undefined;
            /** The key of the reply that holds the grade; `grade` by default */
            readonly field?: string | undefined;
            /** Further grades on the scale: keys of the reply, or names with their patterns */
            readonly dimensions?:
              | readonly string[]
              | {
                  readonly [name: string]: string;
                }
              | undefined;
            /** Where in the reply the verdict is written; its first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which one counts if the pattern matches several times; all have to say the same by default */
            readonly take?: 'first' | 'last' | undefined;
          }
        | {
            /** one of several values, each worth a score */
            readonly type: 'json';
            /** What each value is worth, from 0 to 1 */
            readonly values: {
              readonly [name: string]: number;
            };
            /** The key of the reply that holds the value; `verdict` by default */
            readonly field?: string | undefined;
            /** The key of the reply that says, from 0 to 1, how well a right answer is right */
            readonly score_field?: string | undefined;
            /** Where in the reply the verdict is written; its first group that matches counts */
            readonly pattern?: string | undefined;
            /** Which one counts if the pattern matches several times; all have to say the same by default */
            readonly take?: 'first' | 'last' | undefined;
          }
        | undefined;
      /** The column that prompts call `{question}`; `question` by default */
      readonly question_column?: string | undefined;
      /** What the judge is asked; `{obj_gold}` is the reference */
      readonly prompt_template:
        | string
        | readonly unknown[]
        | {
            readonly [name: string]: unknown;
          };
      /** Its `abbr` names the model */
      readonly judge_cfg?: unknown | undefined;
      /** `generic_llmjudge_postprocess`: A is right, B is wrong */
      readonly dict_postprocessor?: unknown | undefined;
      /** Accepted, and not used: the row has references */
      readonly dataset_cfg?: unknown | undefined;
      /** Whether a dialogue is judged once, with its last turn, as `turns: last` */
      readonly pack_all_predictions?: boolean | undefined;
      /** Refused: `judge` with `against` asks in both orders */
      readonly infer_order?: unknown | undefined;
      /** Refused: verdicts are not judged */
      readonly meta_review_prompt_template?: unknown | undefined;
      /** Refused: `prompts` says what is asked of which answers */
      readonly multi_eval?: unknown | undefined;
    }
  | {
      /** Its options are those of the last name of the path */
      readonly type: ImportPath;
      readonly [name: string]: unknown;
    };

interface CheckKeys {
  /** What it is called; its type by default */
  readonly name?: string | undefined;
  /** How much it counts; 1 by default, 0 only measures */
  readonly weight?: number | undefined;
  /** The score that it has to reach; by default it has to be right */
  readonly threshold?: number | undefined;
  /** What is wanted, in place of the right answer */
  readonly value?: unknown | undefined;
  /** The column that says what is wanted */
  readonly column?: string | undefined;
  /** The set of checks that it counts in */
  readonly set?: string | undefined;
  /** The functions of `transforms` that change the answer first */
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
    | 'not-rouge-n';
  readonly [option: string]: unknown;
}

/** One of several checks: an evaluator with a name, a weight and a threshold, or its contrary. */
export type CheckInput = Checked<EvaluatorInput> | OtherCheckInput;

export type PostprocessorInput =
  | {
      /** the whole text, without white space around it */
      readonly type: 'trimmed';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** the first line that is not blank */
      readonly type: 'first-line';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** the last line that is not blank */
      readonly type: 'last-line';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** the first number */
      readonly type: 'first-number';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** the last number */
      readonly type: 'last-number';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** what stands in the last \boxed{…} */
      readonly type: 'boxed';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** the option that is named first */
      readonly type: 'first-option';
      /** The labels on offer; ABCD by default */
      readonly options?: string | readonly string[] | undefined;
      /** Accepted, and used in compat modes: labels are never looked for inside words */
      readonly cushion?: boolean | undefined;
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** the option that is named last */
      readonly type: 'last-option';
      /** The labels on offer; ABCD by default */
      readonly options?: string | readonly string[] | undefined;
      /** Accepted, and used in compat modes: labels are never looked for inside words */
      readonly cushion?: boolean | undefined;
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** the label of the option whose text is the answer, or in it */
      readonly type: 'choice-text';
      /** The labels on offer; letters from A on by default */
      readonly options?: string | readonly string[] | undefined;
      /** The columns of the options' texts, or one that lists them */
      readonly text_columns: string | readonly string[];
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** the line after the last marker */
      readonly type: 'after-marker';
      /** The marker, or a list of them */
      readonly marker: string | readonly string[];
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** what a pattern finds */
      readonly type: 'regex';
      /** The pattern, as JavaScript writes it, without slashes */
      readonly pattern: string;
      /** The number or the name of the group that counts */
      readonly group?: number | string | undefined;
      /** Flags of the pattern; `u` by default */
      readonly flags?: string | undefined;
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** a value of the last JSON object */
      readonly type: 'json';
      /** Where in the object, such as `answer.value` or `items[0]` */
      readonly path: string;
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** a fenced block of code */
      readonly type: 'code';
      /** The names that the block may be marked with */
      readonly language?: string | readonly string[] | undefined;
      /** Which one of several */
      readonly which?: 'first' | 'last' | undefined;
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** the first of several post-processors that finds something */
      readonly type: 'chain';
      /** Post-processors that are tried in order */
      readonly extractors: PostprocessorInput | readonly PostprocessorInput[];
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** the text up to the first stop, without articles and punctuation */
      readonly type: 'general';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** the first capital letter */
      readonly type: 'first-capital';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** the last capital letter */
      readonly type: 'last-capital';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** the first run of letters from A to D */
      readonly type: 'first-capital-multi';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** all capital letters, sorted, each once */
      readonly type: 'multiple-select';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** the text without <think>…</think> */
      readonly type: 'extract-non-reasoning-content';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** the last number before a next `Question:` */
      readonly type: 'gsm8k';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** the number after `####` */
      readonly type: 'gsm8k-dataset';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** as `general` */
      readonly type: 'general_postprocess';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** as `first-capital` */
      readonly type: 'first_capital_postprocess';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** as `last-capital` */
      readonly type: 'last_capital_postprocess';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** as `first-capital-multi` */
      readonly type: 'first_capital_postprocess_multi';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** as `multiple-select` */
      readonly type: 'multiple_select_postprocess';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** as `extract-non-reasoning-content` */
      readonly type: 'extract_non_reasoning_content';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** as `first-option` */
      readonly type: 'first_option_postprocess';
      /** The labels on offer; ABCD by default */
      readonly options?: string | readonly string[] | undefined;
      /** Accepted, and used in compat modes: labels are never looked for inside words */
      readonly cushion?: boolean | undefined;
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** as `last-option` */
      readonly type: 'last_option_postprocess';
      /** The labels on offer; ABCD by default */
      readonly options?: string | readonly string[] | undefined;
      /** Accepted, and used in compat modes: labels are never looked for inside words */
      readonly cushion?: boolean | undefined;
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** as `first-number` */
      readonly type: 'first_number_postprocess';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** as `gsm8k` */
      readonly type: 'gsm8k_postprocess';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** as `gsm8k-dataset` */
      readonly type: 'gsm8k_dataset_postprocess';
      /** Post-processors in whose find this one looks */
      readonly within?: PostprocessorInput | readonly PostprocessorInput[] | undefined;
    }
  | {
      /** Its options are those of the last name of the path */
      readonly type: ImportPath;
      readonly [name: string]: unknown;
    };

interface SharedModelInput {
  /** Short name; the last part of `path` or `model` by default */
  readonly abbr?: string | undefined;
  /** Tells answers apart that were given under one name, such as 2026-11; not sent */
  readonly version?: string | undefined;
  /** Environment variable that holds the API key */
  readonly api_key_env?: string | undefined;
  /** Headers that go with every request */
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
  /** Which of several chat templates in the file */
  readonly chat_template_name?: string | undefined;
  /** A tokenizer.json, to count and send token ids */
  readonly tokenizer?: string | undefined;
  /** Tokens that fit; examples that do not are left out */
  readonly max_seq_len?: number | null | undefined;
  /** The most tokens of an answer */
  readonly max_out_len?: number | undefined;
  /** The most requests in flight at once */
  readonly batch_size?: number | undefined;
  /** The most requests started in a second */
  readonly max_rps?: number | undefined;
  /** Time limit of a request in seconds */
  readonly timeout?: number | undefined;
  /** The most attempts for a request that fails */
  readonly retries?: number | undefined;
  /** Asks for answers in pieces, as they are written */
  readonly stream?: boolean | undefined;
  /** Whether the model takes media; chat models are taken to by default */
  readonly vision?: boolean | undefined;
  /** The kind of part in which audio is sent; as the template has it by default */
  readonly audio?: 'audio_url' | 'input_audio' | undefined;
  /** How the model marks its thoughts */
  readonly thinking?:
    | {
        /** The mark that begins a thought; those of common models by default */
        readonly begin?: string | undefined;
        /** The mark that ends a thought */
        readonly end?: string | undefined;
        /** Answers start in a thought, as where the chat template of the server opens one */
        readonly opened?: boolean | undefined;
        /** Later turns of a dialogue see thoughts */
        readonly keep?: boolean | undefined;
      }
    | undefined;
  /** How a chat server goes on with the beginning of an answer: told so (vLLM, SGLang), or wherever the assistant speaks last; without it none is sent */
  readonly prefill?: 'continue_final_message' | 'last_message' | undefined;
  /** Only judges answers, and is not evaluated itself */
  readonly judge?: boolean | undefined;
  /** Sent with every request as they are */
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
        /** Price of a million tokens sent */
        readonly in: number;
        /** Price of a million tokens answered */
        readonly out: number;
      }
    | undefined;
  /** What results of this model must reach */
  readonly gate?:
    | {
        /** The lowest score that passes, where rows without a score count as wrong */
        readonly fail_under?:
          | number
          | string
          | {
              readonly [name: string]: number | string;
            }
          | undefined;
        /** How many rows, and samples of the others, may have no score: 3, or 5% */
        readonly max_unscored?: number | string | undefined;
        /** How many rows may fail: 3, or 5%; 0 by default */
        readonly allow_failed?: number | string | undefined;
      }
    | undefined;
  /** As in the config, for this model alone */
  readonly compat?: 'opencompass' | 'aisbench' | undefined;
}

interface OpenAIModelInput extends SharedModelInput {
  /** How the model is asked; without one its prompts can only be looked at */
  readonly type: 'OpenAI';
  /** Name of the model, folder of a Local one, or the file of recorded answers of a Replay */
  readonly path?: string | undefined;
  /** The name that the endpoint knows the model by; in TypeScript also a model object */
  readonly model?: string | undefined;
  /** Address of the endpoint, with or without /v1; a list where several serve the model */
  readonly base_url?: string | readonly string[] | undefined;
}

interface OpenAICompletionsModelInput extends SharedModelInput {
  /** How the model is asked; without one its prompts can only be looked at */
  readonly type: 'OpenAICompletions';
  /** Name of the model, folder of a Local one, or the file of recorded answers of a Replay */
  readonly path?: string | undefined;
  /** The name that the endpoint knows the model by; in TypeScript also a model object */
  readonly model?: string | undefined;
  /** Address of the endpoint, with or without /v1; a list where several serve the model */
  readonly base_url?: string | readonly string[] | undefined;
}

interface AISDKModelInput extends SharedModelInput {
  /** How the model is asked; without one its prompts can only be looked at */
  readonly type: 'AISDK';
  /** Name of the model, folder of a Local one, or the file of recorded answers of a Replay */
  readonly path?: string | undefined;
  /** The name that the endpoint knows the model by; in TypeScript also a model object */
  readonly model: string;
  /** Provider package of an AISDK model */
  readonly package: string;
  /** What the provider package takes */
  readonly options?:
    | {
        readonly [name: string]: unknown;
      }
    | undefined;
}

interface LocalModelInput extends SharedModelInput {
  /** How the model is asked; without one its prompts can only be looked at */
  readonly type: 'Local';
  /** Name of the model, folder of a Local one, or the file of recorded answers of a Replay */
  readonly path: string;
  /** The name that the endpoint knows the model by; in TypeScript also a model object */
  readonly model?: string | undefined;
}

interface ReplayModelInput extends SharedModelInput {
  /** How the model is asked; without one its prompts can only be looked at */
  readonly type: 'Replay';
  /** Name of the model, folder of a Local one, or the file of recorded answers of a Replay */
  readonly path?: string | undefined;
  /** Column of the data that holds the answers of a Replay, in place of a file */
  readonly answer_column?: string | undefined;
  /** The name that the endpoint knows the model by; in TypeScript also a model object */
  readonly model?: string | undefined;
}

interface FileModelInput extends SharedModelInput {
  /** How the model is asked; without one its prompts can only be looked at */
  readonly type: 'function';
  readonly generate?: undefined;
  /** File of a model of type function, relative to the config */
  readonly file: string;
  /** What the file exports the function as; `default` by default */
  readonly export?: string | undefined;
}

interface FunctionModelInput extends SharedModelInput {
  /** How the model is asked; without one its prompts can only be looked at */
  readonly type?: 'function' | undefined;
  /** A function in place of a model, in TypeScript and JavaScript configs */
  readonly generate: GenerateFunction;
}

interface ObjectModelInput extends SharedModelInput {
  /** How the model is asked; without one its prompts can only be looked at */
  readonly type?: undefined;
  /** The name that the endpoint knows the model by; in TypeScript also a model object */
  readonly model: string | ModelObject;
}

interface ImportedModelInput extends SharedModelInput {
  /** How the model is asked; without one its prompts can only be looked at */
  readonly type: ImportPath;
  /** Name of the model, folder of a Local one, or the file of recorded answers of a Replay */
  readonly path?: string | undefined;
  /** Column of the data that holds the answers of a Replay, in place of a file */
  readonly answer_column?: string | undefined;
  /** The name that the endpoint knows the model by; in TypeScript also a model object */
  readonly model?: string | undefined;
  /** File of a model of type function, relative to the config */
  readonly file?: string | undefined;
  /** Provider package of an AISDK model */
  readonly package?: string | undefined;
  /** What the provider package takes */
  readonly options?:
    | {
        readonly [name: string]: unknown;
      }
    | undefined;
  /** Address of the endpoint, with or without /v1; a list where several serve the model */
  readonly base_url?: string | readonly string[] | undefined;
}

interface UntypedModelInput extends SharedModelInput {
  /** How the model is asked; without one its prompts can only be looked at */
  readonly type?: undefined;
  /** Name of the model, folder of a Local one, or the file of recorded answers of a Replay */
  readonly path?: string | undefined;
  /** The name that the endpoint knows the model by; in TypeScript also a model object */
  readonly model?: string | undefined;
  /** Address of the endpoint, with or without /v1; a list where several serve the model */
  readonly base_url?: string | readonly string[] | undefined;
}

export type ModelInput =
  | OpenAIModelInput
  | OpenAICompletionsModelInput
  | AISDKModelInput
  | LocalModelInput
  | ReplayModelInput
  | FileModelInput
  | FunctionModelInput
  | ObjectModelInput
  | ImportedModelInput
  | UntypedModelInput;

/** A dataset that names a task: what it does not say itself, the task says. */
export interface DatasetOfTaskInput
  extends Omit<OwnDatasetInput, 'task' | 'reader_cfg' | 'infer_cfg'> {
  /** A task that brings rows, templates and scoring: its name or file */
  readonly task: string;
  /** What the columns are, and which rows are used */
  readonly reader_cfg?: Partial<OwnDatasetInput['reader_cfg']> | undefined;
  /** What is asked */
  readonly infer_cfg?: Partial<OwnDatasetInput['infer_cfg']> | undefined;
}

/** A dataset that says itself how it is asked. */
export interface OwnDatasetInput {
  /** Short name; the name of the file by default */
  readonly abbr?: string | undefined;
  /** Accepted, and not used */
  readonly type?: string | undefined;
  /** A task that brings rows, templates and scoring: its name or file */
  readonly task?: undefined;
  /** Which template of the task; its first one by default */
  readonly version?: string | undefined;
  /** Refuses another text under the name of the version */
  readonly version_hash?: string | undefined;
  /** File of rows, relative to the config, or one for each split */
  readonly path?:
    | string
    | {
        readonly [name: string]: string;
      }
    | undefined;
  /** A dataset class of OpenCompass or AISBench, with its settings: `path` holds its published files */
  readonly published?:
    | {
        readonly [name: string]: unknown;
      }
    | undefined;
  /** Accepted, and not used */
  readonly name?: string | undefined;
  /** The rows themselves, in place of `path` */
  readonly rows?:
    | readonly object[]
    | {
        readonly [name: string]: readonly object[];
      }
    | undefined;
  /** How often each row is asked; 1 by default */
  readonly n?: number | undefined;
  /** For which numbers of samples pass@k, pass^k and cons@k are reported; n by default */
  readonly k?: number | readonly number[] | undefined;
  /** How images, audio and video are found and sent */
  readonly media?:
    | {
        /** Sends local files themselves (true, the default), or their path to the server */
        readonly inline?: boolean | undefined;
        /** The most bytes of a medium that is sent itself; 20000000 by default */
        readonly max_bytes?: number | undefined;
        /** Reads files outside the folder of the data too; false by default */
        readonly allow_outside?: boolean | undefined;
      }
    | undefined;
  /** How a task of lm-evaluation-harness is asked */
  readonly lm_eval?:
    | {
        /** The task as its YAML says, with includes and groups put in */
        readonly config?:
          | {
              readonly [name: string]: unknown;
            }
          | undefined;
        /** The file that the task was read from */
        readonly file?: string | undefined;
        /** How many examples are shown; as the task says by default */
        readonly num_fewshot?: number | undefined;
        /** Seed of the examples; 1234 by default */
        readonly fewshot_seed?: number | undefined;
        /** What the system says before the description */
        readonly system_instruction?: string | undefined;
        /** Asks in the chat format of the model */
        readonly apply_chat_template?: boolean | undefined;
        /** Shows examples as turns of their own, where a chat format is applied; true by default */
        readonly fewshot_as_multiturn?: boolean | undefined;
        /** Settings of generation over those of the task */
        readonly gen_kwargs?:
          | {
              readonly [name: string]: unknown;
            }
          | undefined;
        /** What stands in for `!function`: a file that exports them, or the functions */
        readonly functions?:
          | string
          | {
              readonly [name: string]: unknown;
            }
          | undefined;
      }
    | undefined;
  /** What the columns are, and which rows are used */
  readonly reader_cfg: {
    /** The columns that prompts may use */
    readonly input_columns: string | readonly string[];
    /** The column that holds the right answer; null if there is none */
    readonly output_column: string | null;
    /** The columns of a CSV or TSV file without a header line, in their order */
    readonly columns?: string | readonly string[] | undefined;
    /** The split that examples come from */
    readonly train_split?: string | undefined;
    /** The split that is asked about */
    readonly test_split?: string | undefined;
    /** Rows of the train split to use: "[:100]", a number, or a share */
    readonly train_range?: string | number | null | undefined;
    /** Rows of the test split to use: "[:100]", a number, or a share */
    readonly test_range?: string | number | null | undefined;
    /** The column that tells which rows belong together: a document, a dialogue, a user */
    readonly cluster_by?: string | undefined;
  };
  /** What is asked */
  readonly infer_cfg: {
    /** How an example is written */
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
          /** The prompt: a string, a dialogue of begin, round and end, or one for each label; in TypeScript also a function of the row */
          readonly template?: TemplateInput | undefined;
          /** The prompt as messages in wire roles */
          readonly messages?: MessagesInput | undefined;
          /** Stands where the examples belong */
          readonly ice_token?: string | null | undefined;
          /** A mark of old templates; it is left out of the prompt */
          readonly sep_token?: string | null | undefined;
          /** Placeholders of old configs, by column */
          readonly column_token_map?:
            | {
                readonly [name: string]: unknown;
              }
            | null
            | undefined;
          /** false leaves the text of messages unfilled */
          readonly format_variables?: boolean | undefined;
        }
      | null
      | undefined;
    /** How a row is asked about */
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
          /** The prompt: a string, a dialogue of begin, round and end, or one for each label; in TypeScript also a function of the row */
          readonly template?: TemplateInput | undefined;
          /** The prompt as messages in wire roles */
          readonly messages?: MessagesInput | undefined;
          /** Stands where the examples belong */
          readonly ice_token?: string | null | undefined;
          /** A mark of old templates; it is left out of the prompt */
          readonly sep_token?: string | null | undefined;
          /** Placeholders of old configs, by column */
          readonly column_token_map?:
            | {
                readonly [name: string]: unknown;
              }
            | null
            | undefined;
          /** false leaves the text of messages unfilled */
          readonly format_variables?: boolean | undefined;
        }
      | null
      | undefined;
    /** Where examples come from */
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
          /** Between text examples */
          readonly ice_separator?: string | undefined;
          /** After the last text example */
          readonly ice_eos_token?: string | undefined;
          /** How many examples; 1 by default */
          readonly ice_num?: number | undefined;
          /** The training rows that a FixKRetriever takes, by number from 0 */
          readonly fix_id_list?: readonly number[] | undefined;
          /** How many rows the window of a SlidingWindowRetriever holds */
          readonly k?: number | undefined;
          /** Seed of draws */
          readonly seed?: number | undefined;
          /** Which rows can be examples, such as "level >= 3" */
          readonly where?: string | undefined;
          /** Columns in which an example must equal the row */
          readonly same_as?: string | readonly string[] | undefined;
          /** Columns that rows are compared by; input_columns by default */
          readonly columns?: readonly string[] | undefined;
          /** The model that tells which texts mean alike */
          readonly embedder?:
            | {
                /** Address of the endpoint, with or without /v1 */
                readonly base_url?: string | undefined;
                /** The name that the endpoint knows the model by */
                readonly model?: string | undefined;
                /** Environment variable that holds the API key */
                readonly api_key_env?: string | undefined;
                /** Folder of an encoder on this machine, in place of an endpoint */
                readonly path?: string | undefined;
                /** The most texts that are embedded together */
                readonly batch_size?: number | undefined;
              }
            | undefined;
          /** For how many neighbours a row votes in a VotekRetriever */
          readonly votek_k?: number | undefined;
          /** Among how many of the nearest rows DPPRetriever and MDLRetriever choose */
          readonly candidate_num?: number | undefined;
          /** How much a DPPRetriever cares for variety; 0.1 by default */
          readonly scale_factor?: number | undefined;
          /** How many choices an MDLRetriever tries; 5 by default */
          readonly select_time?: number | undefined;
          /** The labels whose loglikelihood an MDLRetriever takes; those of the task by default */
          readonly labels?: readonly unknown[] | undefined;
          /** The function of a FunctionRetriever */
          readonly retrieve?: RetrieveFunction | undefined;
          /** Accepted, and not used: infer_cfg has it */
          readonly ice_template?: unknown | undefined;
          /** Accepted, and not used: infer_cfg has it */
          readonly prompt_template?: unknown | undefined;
          /** Accepted, and not used */
          readonly sentence_transformers_model_name?: string | undefined;
          /** Accepted, and not used */
          readonly tokenizer_name?: string | undefined;
          /** Accepted, and not used */
          readonly ce_model_name?: string | undefined;
          /** Accepted, and not used */
          readonly batch_size?: number | undefined;
        }
      | undefined;
    /** Examples as turns of the dialogue, as text before the question, or in the system text; as the templates have them by default */
    readonly shots_as?: 'turns' | 'text' | 'system' | undefined;
    /** The tools that the model may call, sent with every request */
    readonly tools?:
      | readonly {
          /** What the model calls it by */
          readonly name?: string | undefined;
          /** What it is for, for the model */
          readonly description?: string | undefined;
          /** The JSON Schema of its arguments */
          readonly parameters?:
            | {
                readonly [name: string]: unknown;
              }
            | undefined;
          /** What it does, in TypeScript configs; its answer is shown to the model */
          readonly run?: ToolFunction | undefined;
          /** Tells apart what its function gives; not sent */
          readonly version?: string | undefined;
          /** As the wire has it: `function` */
          readonly type?: string | undefined;
          /** As the wire has it: the tool itself */
          readonly function?:
            | {
                /** What the model calls it by */
                readonly name: string;
                /** What it is for, for the model */
                readonly description?: string | undefined;
                /** The JSON Schema of its arguments */
                readonly parameters?:
                  | {
                      readonly [name: string]: unknown;
                    }
                  | undefined;
              }
            | undefined;
        }[]
      | undefined;
    /** The most requests for one answer where tools have functions; 10 by default */
    readonly max_turns?: number | undefined;
    /** The form that answers must have, sent as it is: json_object, or json_schema */
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
          /** The most tokens of an answer; of a dialogue a list with one for each turn */
          readonly max_out_len?: number | readonly number[] | undefined;
          /** Accepted, and not used */
          readonly min_out_len?: number | undefined;
          /** Accepted, and not used: the model has it */
          readonly max_seq_len?: number | null | undefined;
          /** Accepted, and not used: the model has it */
          readonly batch_size?: number | undefined;
          /** Texts that end an answer, besides those of the model */
          readonly stopping_criteria?: readonly string[] | undefined;
          /** Stands in place of the hidden answer */
          readonly gen_field_replace_token?: string | undefined;
          /** Sends spaces before the hidden answer, which are left to the model by default */
          readonly keep_trailing_spaces?: boolean | undefined;
          /** The labels to choose from by loglikelihood; for a CLPInferencer what may come next */
          readonly labels?: readonly unknown[] | undefined;
          /** A PPLInferencer compares how likely an answer is after its prompt and after this */
          readonly normalizing_str?: string | undefined;
          /** What earlier turns of a dialogue show: the answers of the model (every), those of the data (every_with_gt), or those of the data with only the last turn asked (last) */
          readonly infer_mode?: 'every' | 'every_with_gt' | 'last' | undefined;
          /** Sent with every request of this dataset, over those of the model */
          readonly generation_kwargs?:
            | {
                readonly [name: string]: unknown;
              }
            | undefined;
          /** Read as `generation_kwargs.temperature` */
          readonly temperature?: number | undefined;
          /** Read as `generation_kwargs`: false is a temperature of 0 */
          readonly do_sample?: boolean | undefined;
          /** How many answers an SCInferencer votes among */
          readonly sc_size?: number | undefined;
          /** Outdated: belongs to the retriever */
          readonly fix_id_list?: readonly number[] | undefined;
        }
      | undefined;
  };
  /** How answers are scored */
  readonly eval_cfg?:
    | {
        /** How an answer is compared with the right one, or a list of checks */
        readonly evaluator?:
          | EvaluatorInput
          | CheckInput
          | readonly (EvaluatorInput | CheckInput)[]
          | undefined;
        /** Accepted, and not used */
        readonly pred_role?: string | undefined;
        /** What of an answer is compared, in place of what the evaluator looks for */
        readonly pred_postprocessor?:
          | PostprocessorInput
          | readonly PostprocessorInput[]
          | undefined;
        /** Asks with the options in several orders; only what is right in all of them counts */
        readonly circular?: 'rotations' | 'permutations' | undefined;
        /** What of the output column is compared */
        readonly dataset_postprocessor?:
          | PostprocessorInput
          | readonly PostprocessorInput[]
          | undefined;
      }
    | undefined;
  /** What results on this dataset must reach */
  readonly gate?:
    | {
        /** The lowest score that passes, where rows without a score count as wrong */
        readonly fail_under?:
          | number
          | string
          | {
              readonly [name: string]: number | string;
            }
          | undefined;
        /** How many rows, and samples of the others, may have no score: 3, or 5% */
        readonly max_unscored?: number | string | undefined;
        /** How many rows may fail: 3, or 5%; 0 by default */
        readonly allow_failed?: number | string | undefined;
        /** What counts in its place for some models, by their abbr */
        readonly models?:
          | {
              readonly [name: string]: {
                /** The lowest score that passes, where rows without a score count as wrong */
                readonly fail_under?:
                  | number
                  | string
                  | {
                      readonly [name: string]: number | string;
                    }
                  | undefined;
                /** How many rows, and samples of the others, may have no score: 3, or 5% */
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
  /** The models to ask */
  readonly models?: readonly ModelInput[] | undefined;
  /** The datasets to ask about */
  readonly datasets?: readonly DatasetInput[] | undefined;
  /** Makes and scores prompts as another system does */
  readonly compat?: 'opencompass' | 'aisbench' | undefined;
  /** Folder of the runs; `runs` by default */
  readonly work_dir?: string | undefined;
  /** What is summed up */
  readonly summarizer?:
    | {
        /** Averages over several datasets */
        readonly summary_groups?:
          | readonly {
              /** Name of the average */
              readonly name: string;
              /** The abbrs of its datasets */
              readonly subsets: readonly string[];
              /** What each dataset counts for; the same by default */
              readonly weights?:
                | {
                    readonly [name: string]: number;
                  }
                | undefined;
            }[]
          | undefined;
        readonly [name: string]: unknown;
      }
    | undefined;
  /** Seed of random draws */
  readonly seed?: number | undefined;
  /** What results must reach, or the exit code is not 0 */
  readonly gate?:
    | {
        /** The lowest score that passes, where rows without a score count as wrong */
        readonly fail_under?:
          | number
          | string
          | {
              readonly [name: string]: number | string;
            }
          | undefined;
        /** How many rows, and samples of the others, may have no score: 3, or 5% */
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
          | readonly (
              | string
              | {
                  /** What the template is called in results */
                  readonly name: string;
                  /** How a row is asked about */
                  readonly prompt_template?:
                    | {
                        readonly [name: string]: unknown;
                      }
                    | undefined;
                  /** How an example is written */
                  readonly ice_template?:
                    | {
                        readonly [name: string]: unknown;
                      }
                    | undefined;
                }
            )[]
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
        /** Model formats by name; `own` for that of the model */
        readonly meta_templates?: readonly string[] | undefined;
        /** Examples as turns of the dialogue, as text, or in the system text */
        readonly shots_as?: readonly ('turns' | 'text' | 'system')[] | undefined;
        /** `original`, places that options move up, or `rotations` for all of them */
        readonly option_orders?: readonly (string | number)[] | undefined;
      }
    | undefined;
  /** Where editors find the schema of this file */
  readonly $schema?: string | undefined;
  /** Tells a config that was read and checked from one that is spelled; not a key. */
  readonly written?: undefined;
  readonly [list: `${string}_models`]: readonly ModelInput[] | undefined;
  readonly [list: `${string}_datasets`]: readonly DatasetInput[] | undefined;
}

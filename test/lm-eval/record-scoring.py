"""Records what lm-evaluation-harness makes of answers and of chat settings: `python record-scoring.py HARNESS > scoring.json`.

Needs numpy, jinja2 and PyYAML; what else the harness imports for data and for translation metrics is left out.
"""
import importlib.metadata, json, random, sys, types

importlib.metadata.version = lambda name: '0'

for name in ('datasets', 'sacrebleu', 'evaluate', 'tqdm', 'packaging', 'packaging.version', 'dill', 'pytablewriter', 'more_itertools', 'sklearn', 'sklearn.metrics'):
    if name not in sys.modules:
        sys.modules[name] = types.ModuleType(name)
sys.modules['datasets'].Dataset = object
sys.modules['datasets'].DownloadMode = object
sys.modules['tqdm'].tqdm = lambda x, **k: x
sys.modules['packaging.version'].parse = lambda x: x
sys.modules['packaging'].version = sys.modules['packaging.version']
sys.path.insert(0, sys.argv[1])

from lm_eval.api import metrics as M
from lm_eval.api.task import ConfigurableTask
from lm_eval.api.instance import Instance
import logging
logging.disable(logging.CRITICAL)

class Docs(list):
    @property
    def features(self):
        return {key: None for key in self[0]}

SPLITS = {}
ConfigurableTask.download = lambda self, *a, **k: setattr(self, 'dataset', SPLITS)

rnd = random.Random(7)
WORDS = 'omble kazm trizz flurb norb skree lusp varn'.split()
def doc(i):
    return {'q': ' '.join(rnd.sample(WORDS, 3)), 'a': rnd.choice(WORDS), 'n': rnd.randrange(100), 'lab': i % 3,
            'choices': rnd.sample(WORDS, 3), 'many': rnd.sample(WORDS, 2), 'topic': rnd.choice(WORDS)}
SPLITS['test'] = Docs(doc(i) for i in range(6))
SPLITS['train'] = Docs(doc(i) for i in range(5))

BASE = {'dataset_path': 'own', 'test_split': 'test', 'training_split': 'train'}
GEN = {**BASE, 'output_type': 'generate_until', 'doc_to_text': '{{q}}?', 'doc_to_target': '{{a}}',
       'generation_kwargs': {'until': ['\n']}}
MC = {**BASE, 'output_type': 'multiple_choice', 'doc_to_text': '{{q}}:', 'doc_to_choice': 'choices', 'doc_to_target': 'lab'}

def chat(messages, add_generation_prompt=True):
    text = ''.join(f"<{m['role']}>{m['content']}</>" for m in messages)
    return text + '<assistant>' if add_generation_prompt else text[:-3]

def contexts():
    cases = []
    configs = {
        'plain': GEN,
        'described': {**GEN, 'description': 'About {{topic}}.\n'},
        'prefix': {**GEN, 'gen_prefix': 'So:'},
        'spaced prefix': {**GEN, 'gen_prefix': 'So: ', 'description': 'Say.'},
        'choices': MC,
        'choices with a prefix': {**MC, 'gen_prefix': 'The answer is'},
        'several inputs': {**MC, 'doc_to_text': '{{lab}}', 'doc_to_choice': "{{[q + ' one', q + ' two', q + ' three']}}", 'doc_to_target': '{{a}}'},
    }
    for name, config in configs.items():
        for shots in (0, 2):
            for turns in (True, False):
                for system in (None, 'Be brief.'):
                    task = ConfigurableTask(config={**config, 'task': 't', 'num_fewshot': shots})
                    task.set_fewshot_seed(1234)
                    task.build_all_requests(limit=2, apply_chat_template=True, fewshot_as_multiturn=turns,
                                            system_instruction=system, chat_template=chat)
                    cases.append({'name': name, 'config': config, 'shots': shots, 'turns': turns, 'system': system,
                                  'requests': [[i.doc_id, i.arguments[0]] + ([i.arguments[1]] if i.request_type == 'loglikelihood' else []) for i in task.instances]})
                    if not turns and system is None:
                        task = ConfigurableTask(config={**config, 'task': 't', 'num_fewshot': shots})
                        task.set_fewshot_seed(1234)
                        task.build_all_requests(limit=2, system_instruction='Be brief.')
                        cases.append({'name': name, 'config': config, 'shots': shots, 'turns': None, 'system': 'Be brief.',
                                      'requests': [[i.doc_id, i.arguments[0]] + ([i.arguments[1]] if i.request_type == 'loglikelihood' else []) for i in task.instances]})
    return cases

def clean(value):
    import numpy as np
    if isinstance(value, (list, tuple)):
        return [clean(v) for v in value]
    if isinstance(value, np.ndarray):
        return clean(value.tolist())
    if isinstance(value, np.generic):
        return value.item()
    return value

def score(config, responses, iters=1000):
    """responses: for each document, for each request, the list of its repeats."""
    task = ConfigurableTask(config={**config, 'task': 't', 'num_fewshot': 0})
    task.set_fewshot_seed(1234)
    task.build_all_requests()
    by_doc = {}
    for inst in task.instances:
        by_doc.setdefault(inst.doc_id, []).append(inst)
    for doc_id, instances in by_doc.items():
        for inst, resps in zip(instances, responses[doc_id]):
            inst.resps = [tuple(r) if isinstance(r, list) else r for r in resps]
    task.apply_filters()
    out = {}
    for key in task.instances[0].filtered_resps:
        for doc_id, instances in by_doc.items():
            values = task.process_results(SPLITS['test'][doc_id], [i.filtered_resps[key] for i in instances])
            for metric, value in values.items():
                out.setdefault(f'{metric},{key}', []).append(value)
    results = {}
    for key, items in out.items():
        metric = key.split(',')[0]
        agg = task.aggregation().get(metric, M.mean)
        usable = metric not in ('f1', 'mcc', 'bleu', 'chrf', 'ter')
        result = {'items': clean(items)}
        if usable:
            result['value'] = clean(agg(items))
            fn = M.stderr_for_metric(agg, iters)
            result['stderr'] = clean(fn(items)) if fn else None
        results[key] = result
    return {'config': config, 'responses': responses, 'results': results}

def answers(make, repeats=1):
    return [[[make(doc) for _ in range(repeats)]] for doc in SPLITS['test']]

def lls(doc_index, count):
    r = random.Random(doc_index)
    return [[[-r.random() * 9, r.random() < .5]] for _ in range(count)]

def scorings():
    right = lambda d: rnd.choice([d['a'], d['a'].upper(), f" {d['a']}. ", f"it is {d['a']}!", 'no', f"The answer is ({'ABC'[d['lab']]})", d['choices'][0], f'answer: B', '', '#### 1,234'])
    EM = {'metric': 'exact_match', 'aggregation': 'mean', 'higher_is_better': True}
    f = lambda name, *steps: {'name': name, 'filter': [*steps]}
    first = {'function': 'take_first'}
    cases = [
        score(GEN, answers(right)),
        score({**GEN, 'metric_list': [{**EM, 'ignore_case': True, 'ignore_punctuation': True}]}, answers(right)),
        score({**GEN, 'metric_list': [{**EM, 'regexes_to_ignore': ['[aeiou]', ' ']}]}, answers(right)),
        score({**GEN, 'metric_list': [{**EM, 'ignore_numbers': True}], 'doc_to_target': '{{a}}{{n}}'}, answers(lambda d: f"{d['a']}{rnd.randrange(9)}")),
        score({**GEN, 'doc_to_target': 'many', 'metric_list': [EM]}, answers(lambda d: rnd.choice(d['many'] + ['x']))),
        score({**GEN, 'doc_to_target': '{{n}}', 'metric_list': [EM]}, answers(lambda d: str(rnd.choice([d['n'], 3])))),
        score({**GEN, 'filter_list': [f('words', {'function': 'regex', 'regex_pattern': r'(\w+)', 'group_select': -1}, first),
                                      f('groups', {'function': 'regex', 'regex_pattern': r'(it is (\w+))|(\w+)', 'fallback': '?'}, first),
                                      f('number', {'function': 'regex'}, {'function': 'lowercase'}, first),
                                      f('strip', {'function': 'remove_whitespace'}, first),
                                      f('upper', {'function': 'uppercase'}, first)]}, answers(right)),
        score({**GEN, 'doc_to_target': "({{'ABC'[lab]}})", 'filter_list': [f('mc', {'function': 'multi_choice_regex', 'regex_pattern': r'(\([A-Z]\))', 'ignore_case': True, 'ignore_punctuation': True}, first)]}, answers(right)),
        score({**GEN, 'filter_list': [f('map', {'function': 'map', 'mapping_dict': {'no': 'omble'}, 'default_value': 'kazm'}, first)]}, answers(right)),
        score({**GEN, 'filter_list': [f('span', {'function': 'format_span'}, first)]}, answers(lambda d: f"Person: {d['a']}, none $$ places: {d['topic']}\nDATE: {d['n']}")),
        score({**GEN, 'repeats': 5, 'filter_list': [f('maj@5', {'function': 'majority_vote'}, first), f('maj@3', {'function': 'take_first_k', 'k': 3}, {'function': 'majority_vote'}, first), f('one', first)]},
              answers(lambda d: rnd.choice([d['a'], 'x', 'y']), 5)),
        score(MC, [lls(i, 3) for i in range(6)]),
        score({**MC, 'metric_list': [{'metric': m} for m in ('acc', 'acc_norm', 'acc_bytes', 'brier_score', 'mcc', 'f1')] + [{'metric': 'exact_match', 'aggregation': 'mean', 'higher_is_better': True}]}, [lls(i, 3) for i in range(6)]),
        score({**MC, 'metric_list': [{'metric': 'acc'}, {'metric': 'acc_mutual_info'}]}, [lls(i, 6) for i in range(6)]),
        score({**MC, 'doc_to_target': '{{choices[lab]}}'}, [lls(i, 3) for i in range(6)]),
        score({**MC, 'doc_to_target': '{{[0, lab]}}'}, [lls(i, 3) for i in range(6)]),
        score({**MC, 'doc_to_text': '{{lab}}', 'doc_to_target': '{{a}}'}, [lls(i, 3) for i in range(6)]),
        score({**BASE, 'output_type': 'loglikelihood', 'doc_to_text': '{{q}}', 'doc_to_target': ' {{a}}'}, [lls(i, 1) for i in range(6)]),
        score({**BASE, 'output_type': 'loglikelihood_rolling', 'doc_to_text': '', 'doc_to_target': '{{q}} é {{a}}'}, [[[-random.Random(i).random() * 9]] for i in range(6)]),
    ]
    return cases

print(json.dumps({'test': SPLITS['test'], 'train': SPLITS['train'], 'contexts': contexts(), 'scorings': scorings()}, ensure_ascii=False))

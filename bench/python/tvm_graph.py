"""What tvm_tune.py and the contender `tvm_tuned` of compare.py share: the graph that is tuned.

A database of schedules is looked up by the functions that were tuned, so both go the same way up to
them: imported from ONNX, lowered and fused by Apache TVM, with weights that may change their layout.
"""

import os


def target(threads):
    """This machine. TVM_NUM_THREADS is read when TVM first runs something, so it is set here too."""
    os.environ["TVM_NUM_THREADS"] = str(threads)
    import tvm
    from tvm.target.codegen import llvm_get_system_cpu

    # "native" is no name that TVM's LLVM knows: it would silently compile for the oldest x86-64.
    return tvm.target.Target(
        {"kind": "llvm", "mcpu": llvm_get_system_cpu(), "num-cores": threads}
    )


def passes(*some):
    import tvm

    return tvm.transform.Sequential(list(some), opt_level=0)


def tunable_module(loaded, target):
    """The functions of an ONNX model as they are before schedules are chosen."""
    import tvm
    from tvm import relax
    from tvm.relax.frontend.onnx import from_onnx

    with target, tvm.transform.PassContext(opt_level=3):
        return passes(
            relax.transform.DecomposeOpsForInference(),
            relax.transform.CanonicalizeBindings(),
            relax.get_pipeline("zero"),
            relax.transform.AttachAttrLayoutFreeBuffers(),
        )(from_onnx(loaded))


def is_database(folder):
    return (folder / "database_tuning_record.json").is_file()


def open_database(folder):
    from tvm.s_tir import meta_schedule

    return meta_schedule.database.JSONDatabase(work_dir=str(folder), allow_missing=True)


def tasks(module, target):
    from tvm.s_tir import meta_schedule

    return meta_schedule.relax_integration.extract_tasks(module, target)


def count_tuned(found, target, database):
    """How many of some tasks have a schedule in the database."""
    return sum(
        database.query_tuning_record(task.dispatched[0], target, task.task_name) is not None
        for task in found
    )


def scheduled_module(module, target, database):
    """The module with the database's schedules; functions that are not in it stay as they are."""
    import tvm
    from tvm import relax

    with target, database, tvm.transform.PassContext(opt_level=3):
        return passes(
            relax.transform.MetaScheduleApplyDatabase(),
            # The new layouts of weights are computed here, not in every run.
            relax.transform.SplitLayoutRewritePreproc(),
            relax.transform.FoldConstant(),
        )(module)

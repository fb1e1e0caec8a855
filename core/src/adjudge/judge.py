from adjudge.judges import *  # noqa: F403
from adjudge.judges import AsyncJudge, CheckConfig, Example, Judge, JudgeConfig, JudgeContext, Lane, Needs  # noqa: F401

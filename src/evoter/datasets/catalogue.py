"""The data sets that can be fetched: what each is, where it comes from, on which terms, and how it is recognised."""

from collections.abc import Mapping
from types import MappingProxyType

from evoter.datasets.dataset import DatasetInfo, Form

_UCI = "https://archive.ics.uci.edu"
_CC_BY = "CC BY 4.0"
_ACTIVITIES = {
    "LAYING": 1944,
    "SITTING": 1777,
    "STANDING": 1906,
    "WALKING": 1722,
    "WALKING_DOWNSTAIRS": 1406,
    "WALKING_UPSTAIRS": 1544,
}
_ACTIVITY_PAGE = f"{_UCI}/dataset/240/human+activity+recognition+using+smartphones"
_ACTIVITY_ARCHIVE = "human+activity+recognition+using+smartphones.zip"
_ACTIVITY_LICENCE = f"{_CC_BY}; the set's own readme excludes commercial use"
_ACTIVITY_CITATION = (
    "D. Anguita, A. Ghio, L. Oneto, X. Parra and J. L. Reyes-Ortiz (2013). A Public Domain Dataset for Human Activity "
    "Recognition Using Smartphones. ESANN 2013."
)
_FIRST_VITAL_SIGNS = "cd94b251ef98dd44d9074c22dc32427ca6b8fdb07f420d37099d224fd49dbab0"
"""The content of the first 9,271 patients."""

_INFOS = (
    DatasetInfo(
        name="credit_approval",
        title="Credit Approval",
        description="credit card applications, approved (+) or not (-), under names that mean nothing",
        n_features=15,
        classes=("+", "-"),
        forms=(Form(("crx.data",), {"+": 307, "-": 383}),),
        source=f"{_UCI}/dataset/27/credit+approval",
        url=f"{_UCI}/static/public/27/credit+approval.zip",
        archives=("credit+approval.zip",),
        licence=_CC_BY,
        citation="J. R. Quinlan (1987). Credit Approval. UCI Machine Learning Repository, doi:10.24432/C5FS30.",
        sha256={"crx.data": "fff49bc186cbddb3ace7371d40d9fbbb3af4f126019c13ff3f562249b1454f4d"},
    ),
    DatasetInfo(
        name="contraceptive_choice",
        title="Contraceptive Method Choice",
        description="married women of Indonesia in 1987 and the kind of contraception they chose",
        n_features=9,
        classes=("no use", "long-term", "short-term"),
        forms=(Form(("cmc.data",), {"no use": 629, "long-term": 333, "short-term": 511}),),
        source=f"{_UCI}/dataset/30/contraceptive+method+choice",
        url=f"{_UCI}/static/public/30/contraceptive+method+choice.zip",
        archives=("contraceptive+method+choice.zip",),
        licence=_CC_BY,
        citation="T.-S. Lim (1997). Contraceptive Method Choice. UCI Machine Learning Repository, doi:10.24432/C59W2D.",
        sha256={"cmc.data": "ad2a49da55df24b061a994ecc4d90c856aba35acd05138851aa251c4f06303c9"},
    ),
    DatasetInfo(
        name="human_activity",
        title="Human Activity Recognition Using Smartphones",
        description="what people do, from 561 features of 2.56 seconds of a smartphone's sensors",
        n_features=561,
        classes=tuple(_ACTIVITIES),
        forms=(
            Form(
                ("har_static.parquet",),
                _ACTIVITIES,
                n_groups=30,
                sha256="e00399d95890d964d23e8ae520083a3190a39bf1595209dff855da95baa1d59e",
            ),
        ),
        source=_ACTIVITY_PAGE,
        url=f"{_UCI}/static/public/240/{_ACTIVITY_ARCHIVE}",
        archives=(_ACTIVITY_ARCHIVE, "UCI HAR Dataset.zip"),
        licence=_ACTIVITY_LICENCE,
        citation=_ACTIVITY_CITATION,
    ),
    DatasetInfo(
        name="human_activity_signals",
        title="Human Activity Recognition Using Smartphones, signals",
        description="the same 2.56 seconds as nine signals of 128 samples",
        n_features=9,
        classes=tuple(_ACTIVITIES),
        forms=(
            Form(
                ("har_inertial.npz",),
                _ACTIVITIES,
                n_groups=30,
                sha256="cac48a6dd9806e931c4240364d22f7fa6976399f10344889a775bf9480f8aefc",
            ),
        ),
        source=_ACTIVITY_PAGE,
        url=f"{_UCI}/static/public/240/{_ACTIVITY_ARCHIVE}",
        archives=(_ACTIVITY_ARCHIVE, "UCI HAR Dataset.zip"),
        licence=_ACTIVITY_LICENCE,
        citation=_ACTIVITY_CITATION,
    ),
    DatasetInfo(
        name="heart_failure",
        title="Heart Failure Clinical Records",
        description="patients with heart failure and whether they died while they were followed",
        n_features=12,
        classes=("died", "survived"),
        forms=(Form(("heart_failure_clinical_records_dataset.csv",), {"died": 96, "survived": 203}),),
        source=f"{_UCI}/dataset/519/heart+failure+clinical+records",
        url=f"{_UCI}/static/public/519/heart+failure+clinical+records.zip",
        archives=("heart+failure+clinical+records.zip",),
        licence=_CC_BY,
        citation=(
            "D. Chicco and G. Jurman (2020). Machine learning can predict survival of patients with heart failure from "
            "serum creatinine and ejection fraction alone. BMC Medical Informatics and Decision Making 20, 16."
        ),
        sha256={
            "heart_failure_clinical_records_dataset.csv": (
                "9c73cea7468ff5d517801ec050fe9993da5912fce4b56f296f8df3b38dd75912"
            )
        },
    ),
    DatasetInfo(
        name="diabetes",
        title="Diabetes 130-US Hospitals for Years 1999-2008",
        description="hospital stays of patients with diabetes and whether they came back within 30 days, later or not",
        n_features=47,
        classes=("<30", ">30", "NO"),
        forms=(
            Form(
                ("diabetes130.parquet", "diabetes130_IDs_mapping.csv"),
                {"<30": 11357, ">30": 35545, "NO": 54864},
                n_groups=71518,
                sha256="4b39b9a8f2878828faceb4535f740775c7fb7292f05667950d974798c42b6e76",
            ),
        ),
        source=f"{_UCI}/dataset/296/diabetes+130-us+hospitals+for+years+1999-2008",
        url=f"{_UCI}/static/public/296/diabetes+130-us+hospitals+for+years+1999-2008.zip",
        archives=("diabetes+130-us+hospitals+for+years+1999-2008.zip",),
        licence=_CC_BY,
        citation=(
            "B. Strack et al. (2014). Impact of HbA1c Measurement on Hospital Readmission Rates: Analysis of 70,000 "
            "Clinical Database Patient Records. BioMed Research International 2014, 781670."
        ),
        sha256={
            "diabetic_data.csv": "0689e7ec031237dc63031b938805c48377748761a3b26acab621567afa24df97",
            "IDs_mapping.csv": "f1bb82b471cb34649352597572c9b1fb00bd27f77b9f5a22a03dc3eb1039749e",
        },
    ),
    DatasetInfo(
        name="hypotension_2009",
        title="PhysioNet/CinC Challenge 2009, Predicting Acute Hypotensive Episodes",
        description="ten hours of arterial pressure, minute by minute, and whether hypotension follows",
        n_features=1,
        classes=("hypotension", "no hypotension"),
        forms=(
            Form(
                ("icu_ahe2009_map.npz",),
                {"hypotension": 49, "no hypotension": 61},
                n_groups=110,
                sha256="27faed2a78734d9154b060498f99981821199ce420d1155083dc59443adc781f",
            ),
        ),
        source="https://physionet.org/content/challenge-2009/1.0.0/",
        url=None,
        archives=(),
        licence="Open Data Commons Attribution License 1.0",
        citation=(
            "G. Moody and L. Lehman (2009). Predicting Acute Hypotensive Episodes: The 10th Annual PhysioNet/Computers "
            "in Cardiology Challenge. Computers in Cardiology 36, 541-544."
        ),
    ),
    DatasetInfo(
        name="vital_signs_2019",
        title="PhysioNet/CinC Challenge 2019, Early Prediction of Sepsis, training set B",
        description="vital signs and laboratory values of patients in intensive care, hour by hour, and their sepsis",
        n_features=40,
        classes=("no sepsis", "sepsis"),
        forms=(
            Form(("icu2019_setB.parquet",), n_groups=20_000, sha256=_FIRST_VITAL_SIGNS, n_checked=351_816),
            Form(
                ("icu2019_setB_part.parquet",),
                {"no sepsis": 346_940, "sepsis": 4_876},
                n_groups=9_271,
                sha256=_FIRST_VITAL_SIGNS,
            ),
        ),
        source="https://physionet.org/content/challenge-2019/1.0.0/",
        url="https://archive.physionet.org/users/shared/challenge-2019/training_setB.zip",
        archives=("training_setB.zip",),
        licence=_CC_BY,
        citation=(
            "M. A. Reyna et al. (2020). Early Prediction of Sepsis From Clinical Data: The PhysioNet/Computing in "
            "Cardiology Challenge 2019. Critical Care Medicine 48(2), 210-217."
        ),
    ),
)

CATALOGUE = {info.name: info for info in _INFOS}

DATASETS: Mapping[str, DatasetInfo] = MappingProxyType(CATALOGUE)
"""Every data set by its name; the set `x` is fetched by `fetch_x`."""
